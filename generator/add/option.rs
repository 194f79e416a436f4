//! Options in C++: enums, which the code of functions gets.

use cuvec_declare::declaration::Argument;

use super::declaration::Declaration;
use super::layout::enumeration;
use super::names;

/// The enums of a function, each with a blank line behind it.
pub fn enums(d: &Declaration) -> String {
    let shown = d
        .options()
        .map(|it| format!("{}\n", enumeration(&name(d, it), &enumerators(it))));
    shown.collect()
}

/// The enum of an option: `ResizePadMode` for `pad_mode` of `resize`. Another file may have an option of the same name.
pub fn name(d: &Declaration, argument: &Argument) -> String {
    let mut taken: Vec<String> = d.variables.iter().map(|it| it.name.clone()).collect();
    taken.extend(d.arguments.iter().map(|it| it.name.clone()));
    taken.extend((0..d.results.len()).map(|it| d.name_of_result(it)));
    let mut name = String::new();
    for option in d.options() {
        name = capitalized(&format!("{}_{}", d.name, option.name));
        while taken.contains(&name) || names::is_type_in_cpp(&name) {
            name += "Kind";
        }
        if option.name == argument.name {
            break;
        }
        taken.push(name.clone());
    }
    name
}

fn capitalized(name: &str) -> String {
    let words = name.split('_').filter(|it| !it.is_empty());
    let words = words.map(|it| it[..1].to_uppercase() + &it[1..]);
    words.collect()
}

/// The choices; `double_` for one that means something else.
fn enumerators(argument: &Argument) -> Vec<String> {
    let choices = argument.choices().iter();
    let shown = choices.map(|it| match names::is_taken_in_cpp(&it.text) {
        true => format!("{}_", it.text),
        false => it.text.clone(),
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Returns the name that a line of a header declares.
    fn declared(line: &str) -> Option<&str> {
        let template = line.strip_prefix("template");
        let template = template.and_then(|it| Some(it.rsplit_once("> struct ")?.1));
        let mut starts = ["struct ", "class ", "using "].into_iter();
        let rest = template.or_else(|| starts.find_map(|it| line.strip_prefix(it)))?;
        rest.split(|it: char| !it.is_alphanumeric()).next()
    }

    /// A struct of that name would be ambiguous with the enum.
    #[test]
    fn types_of_the_runtime_are_known() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/runtime/include/cuvec");
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let text = fs::read_to_string(entry.unwrap().path()).unwrap();
            if text.contains("#include \"api.h") {
                continue; // for `src/`
            }
            let mut inside = false; // of what is not for kernels
            let lines = text.lines().filter(|line| {
                if line.contains("namespace") && line.contains("detail") {
                    inside = line.ends_with('{');
                }
                !inside
            });
            let names = lines.filter_map(declared).map(str::to_owned);
            found.extend(names.filter(|it| it.len() > 1 && *it == capitalized(it)));
        }
        assert!(found.len() > 15, "{found:?}");
        found.retain(|it| !names::is_type_in_cpp(it));
        assert_eq!(found, [""; 0]);
    }
}
