//! CMakeLists.txt of a package: which sources its functions are linked to, and more of them.

/// After which line they are added.
const START: &str = "runtime/cmake/Package.cmake)";

/// Files and folders to add.
#[derive(Debug, Default)]
pub struct Sources {
    pub files: Vec<String>,
    /// Files for the C++ compiler that need CUDA's headers.
    pub only_with_cuda: Vec<String>,
    pub folders: Vec<String>,
}

/// Letters of paths that CMake, compilers and comments take as they are, besides letters and digits.
const PLAIN: &str = "_-./+@,=~ ";

/// A letter of a path that means something else to one of those that read it.
pub fn strange_letter(path: &str) -> Option<char> {
    path.chars()
        .find(|it| !it.is_alphanumeric() && !PLAIN.contains(*it))
}

fn quoted(path: &String) -> String {
    match path.contains(' ') {
        true => format!("\"{path}\""),
        false => path.clone(),
    }
}

fn calls(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let calls = text.split("kernel_sources(").skip(1);
    calls.map(|it| words(it.split(')').next().unwrap_or_default()))
}

/// Those between blanks, or between quotes.
fn words(mut rest: &str) -> Vec<&str> {
    let mut found = Vec::new();
    loop {
        rest = rest.trim_start();
        let (word, after) = match rest.strip_prefix('"') {
            Some(inner) => inner.split_once('"').unwrap_or((inner, "")),
            None => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
        };
        if word.is_empty() {
            return found;
        }
        found.push(word);
        rest = after;
    }
}

/// Checks whether `kernel_sources` names this file already.
pub fn is_built(text: &str, path: &str) -> bool {
    calls(text)
        .flatten()
        .any(|pattern| match pattern.split_once('*') {
            None => pattern == path,
            Some((start, end)) => {
                let middle = path.strip_prefix(start).and_then(|it| it.strip_suffix(end));
                middle.is_some_and(|it| !it.contains('/'))
            }
        })
}

/// Checks whether a call of `kernel_sources` names this folder for headers already.
fn is_included(text: &str, folder: &str) -> bool {
    calls(text).any(|it| {
        it.iter()
            .skip_while(|it| **it != "INCLUDE")
            .any(|it| *it == folder)
    })
}

/// The text with these sources, or `None` if there is no place for them.
pub fn with_sources(text: &str, sources: &Sources) -> Option<String> {
    let is_for_files = !sources.files.is_empty() || !sources.only_with_cuda.is_empty();
    let mut folders = sources.folders.clone();
    folders.retain(|it| is_for_files || !is_included(text, it));
    let all = |paths: &[String]| paths.iter().map(quoted).collect::<Vec<_>>().join(" ");
    let folders = match folders.is_empty() {
        true => String::new(),
        false => format!(" INCLUDE {}", all(&folders)),
    };
    let call = |files: &[String]| match files {
        [] => format!("kernel_sources({})", folders.trim_start()),
        files => format!("kernel_sources({}{folders} SYSTEM)", all(files)),
    };
    let mut added = String::new();
    if !sources.files.is_empty() || (sources.only_with_cuda.is_empty() && !folders.is_empty()) {
        added += &format!("{}\n", call(&sources.files));
    }
    if !sources.only_with_cuda.is_empty() {
        added += &format!("if(CUDA)\n  {}\nendif()\n", call(&sources.only_with_cuda));
    }
    if added.is_empty() {
        return Some(text.to_owned());
    }
    let start = match text.rfind("\nkernel_sources(") {
        Some(last) => last + 1,
        None => text.find(START)?,
    };
    let end = start + text[start..].find(')')? + 1;
    let end = text[end..].find('\n').map_or(text.len(), |it| end + it + 1);
    let (before, after) = text.split_at(end);
    let newline = if before.ends_with('\n') { "" } else { "\n" };
    Some(format!("{before}{newline}{added}{after}"))
}
