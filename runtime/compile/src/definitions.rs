//! Definitions that the linker takes once for all files, without a word where they differ: templates, inline functions,
//! and classes, whose members are inline.

use std::collections::BTreeMap;
use std::{iter, mem};

use crate::pattern;
use crate::source::Reader;

/// A definition in a file.
pub struct Definition {
    /// As it is shown.
    pub name: String,
    /// With its namespaces and the types of its parameters.
    pub key: String,
    /// Without comments, each blank one space.
    pub text: String,
    /// The place of the name in the file.
    pub place: usize,
    /// Definitions of the file that it names, and that those name.
    used: BTreeMap<String, String>,
}

impl Definition {
    /// A name that two definitions of one name use differently.
    pub fn differing_use<'a>(&'a self, other: &'a Self) -> Option<&'a str> {
        let names = self.used.keys().chain(other.used.keys());
        let differing = names.filter(|it| self.used.get(*it) != other.used.get(*it));
        differing.min().map(String::as_str)
    }
}

/// All of a file that are not in an unnamed namespace, nor `static`.
pub fn definitions(file: &str) -> Vec<Definition> {
    let mut definitions = Definitions {
        code: code_of(file),
        ..Definitions::default()
    };
    definitions.read_macros(file);
    definitions.read("", true);
    for number in 0..definitions.found.len() {
        let mut used = BTreeMap::new();
        definitions.add_used(&definitions.found[number].text, &mut used);
        definitions.found[number].used = used;
    }
    definitions.found
}

/// The file in ASCII, with spaces for comments, literals and lines of the preprocessor.
fn code_of(file: &str) -> String {
    let mut code = String::with_capacity(file.len());
    let mut reader = Reader::new(file);
    while let Some(letter) = reader.rest().chars().next() {
        let (start, line) = (reader.at, code.rfind('\n').map_or(0, |it| it + 1));
        if letter == '#' && code[line..].chars().all(|it| matches!(it, ' ' | '\t')) {
            while let Some(letter) = reader.rest().chars().next()
                && letter != '\n'
            {
                reader.skip_letter();
                if letter == '\\' {
                    reader.skip_letter(); // the line goes on
                }
            }
        } else if !reader.skip_other() {
            reader.skip_letter();
            let shown = if letter.is_ascii() { letter } else { '_' };
            code.extend(iter::repeat_n(shown, letter.len_utf8()));
            continue;
        }
        code.extend(iter::repeat_n(' ', reader.at - start));
    }
    code
}

#[derive(Default)]
struct Definitions {
    code: String,
    at: usize,
    found: Vec<Definition>,
    /// All that the file defines, macros too.
    named: BTreeMap<String, String>,
}

impl Definitions {
    fn read_macros(&mut self, file: &str) {
        let pattern = pattern!(r"(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)((?:\\\n|[^\n])*)");
        for found in pattern.captures_iter(file) {
            let text = found[2].split("//").next().unwrap_or_default();
            *self.named.entry(found[1].to_owned()).or_default() += text;
        }
    }

    /// Adds the definitions of this file that a text names, and those that they name.
    fn add_used(&self, text: &str, used: &mut BTreeMap<String, String>) {
        for word in pattern!(r"[A-Za-z_]\w*").find_iter(text) {
            if let Some(text) = self.named.get(word.as_str())
                && !used.contains_key(word.as_str())
            {
                used.insert(word.as_str().to_owned(), text.clone());
                self.add_used(text, used);
            }
        }
    }

    /// Keeps the text of a declaration for each name in it that others may use.
    fn keep_names(&mut self, head: &str, text: &str) {
        let left_out = pattern!(
            r"\btemplate\s*<|\b(?:__launch_bounds__|alignas|__align__|__attribute__|decltype|noexcept)\s*\("
        );
        let mut head = head.to_owned();
        while let Some(found) = left_out.find(&head).map(|it| it.range()) {
            let end = closed(&head, found.end - 1, "(<{[", ")>}]");
            head.replace_range(found.start..=end, " ");
        }
        if let Some(found) = pattern!(r"\b(?:struct|class|union|using)\s+(\w+)").captures(&head) {
            self.keep(&found[1], text);
        } else if pattern!(r"\benum\b").is_match(&head) {
            for word in pattern!(r"[A-Za-z_]\w*").find_iter(text) {
                self.keep(word.as_str(), text); // and its constants
            }
        } else {
            for one in head.split(',') {
                let before = one.split(['=', '(', '[', '{']).next().unwrap_or_default();
                if let Some(found) = pattern!(r"(\w+)\s*$").captures(before) {
                    self.keep(&found[1], text);
                }
                if one.contains('(') {
                    break; // unlike `double a = 1, b = 2`
                }
            }
        }
    }

    fn keep(&mut self, name: &str, text: &str) {
        *self.named.entry(name.to_owned()).or_default() += text;
    }

    /// The code between two places, each blank one space.
    fn text_of(&self, start: usize, end: usize) -> String {
        let text = self.code[start..end].trim_start();
        pattern!(r"\s+").replace_all(text, " ").into_owned()
    }

    /// Reads definitions of a namespace up to its end; definitions of an unnamed one are no one else's.
    fn read(&mut self, scope: &str, is_shared: bool) {
        let mut start = self.at;
        while let Some(letter) = self.code.as_bytes().get(self.at)
            && *letter != b'}'
        {
            match letter {
                b';' => {
                    let text = self.text_of(start, self.at);
                    self.keep_names(&text, &text);
                    start = self.at + 1;
                }
                b'(' => self.at = self.end_of(self.at),
                b'{' => start = self.read_block(start, scope, is_shared),
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Reads the part in braces behind a head; returns where the next head begins.
    fn read_block(&mut self, start: usize, scope: &str, is_shared: bool) -> usize {
        let head = self.code[start..self.at].to_owned();
        let space = pattern!(r"\bnamespace\s+([\w:]*)\s*$|\bextern\s*$");
        if let Some(space) = space.captures(&head) {
            let name = space.get(1).map_or("", |it| it.as_str());
            let is_named = !name.is_empty() || head.contains("extern");
            let inner = match name {
                "" => scope.to_owned(),
                name => format!("{scope}{name}::"),
            };
            self.at += 1;
            self.read(&inner, is_shared && is_named);
            return (self.at + 1).min(self.code.len());
        }
        let end = self.end_of(self.at);
        let goes_on = pattern!(r"=\s*$").is_match(&head);
        if is_shared {
            self.add(scope, start, &head, end);
        }
        if !goes_on {
            let text = self.text_of(start, end + 1);
            self.keep_names(&head, &text);
        }
        self.at = end;
        if goes_on { start } else { end + 1 }
    }

    /// The place that closes a bracket of the code, where `<` may be a comparison.
    fn end_of(&self, open: usize) -> usize {
        closed(&self.code, open, "({[", ")}]")
    }

    /// Adds the definition that begins with this head, if others can have it too.
    fn add(&mut self, scope: &str, start: usize, head: &str, end: usize) {
        let of_class = pattern!(
            r"\b(?:struct|class|union)\s+(?:(?:alignas|__align__)\s*\([^)]*\)\s*)?(\w+)\s*(?:final\b|<|:[^:]|$)"
        );
        let is_inline = pattern!(r"\b(?:template|inline|constexpr|__forceinline__|__inline__)\b");
        let of_function = pattern!(r"([\w:~]+|operator[^\w\s(]+)\s*\(");
        let others =
            pattern!(r"^(?:__launch_bounds__|alignas|decltype|noexcept|requires|__attribute__)$");
        let open = head.find('(');
        let is_function = open.is_some_and(|it| head.find('=').is_none_or(|equals| equals > it));
        let class = of_class.captures(head).and_then(|it| it.get(1));
        let class = class.filter(|it| !is_function || Some(it.start()) < open);
        let (name, key) = if let Some(class) = class {
            (class, format!("class {scope}{}", class.as_str()))
        } else {
            let is_static = pattern!(r"\bstatic\b").is_match(head);
            if !is_function || !is_inline.is_match(head) || is_static {
                return;
            }
            let mut functions = of_function.captures_iter(head);
            let Some(found) = functions.find(|it| !others.is_match(&it[1])) else {
                return;
            };
            let (Some(all), Some(name)) = (found.get(0), found.get(1)) else {
                return;
            };
            let open = start + all.end() - 1;
            let types = types_of(&self.code[open..self.end_of(open)]);
            (name, format!("{scope}{}{types}", name.as_str()))
        };
        self.found.push(Definition {
            name: name.as_str().to_owned(),
            key,
            text: self.text_of(start, (end + 1).min(self.code.len())),
            place: start + name.start(),
            used: BTreeMap::new(),
        });
    }
}

/// Where the bracket at this place is closed, or the last place.
fn closed(text: &str, open: usize, opening: &str, closing: &str) -> usize {
    let mut depth = 0;
    for (place, letter) in text[open..].char_indices() {
        if opening.contains(letter) {
            depth += 1;
        } else if closing.contains(letter) {
            depth -= 1;
            if depth == 0 {
                return open + place;
            }
        }
    }
    text.len().saturating_sub(1)
}

/// `(const T *x, int n = 1` as `(const T *,int`.
fn types_of(parameters: &str) -> String {
    let name = pattern!(r"([\w>*&])(\s+|\s*[*&]\s*)\w+\s*$");
    let (mut types, mut one, mut depth) = (Vec::new(), String::new(), 0);
    for letter in parameters.chars().skip(1).chain([',']) {
        depth += match letter {
            '<' | '(' | '{' => 1,
            '>' | ')' | '}' => -1,
            _ => 0,
        };
        if letter == ',' && depth <= 0 {
            let one = mem::take(&mut one);
            let typed = one.split('=').next().unwrap_or_default();
            types.push(name.replace(typed, "${1}${2}").into_owned());
        } else {
            one.push(letter);
        }
    }
    let all = types.join(",") + ",";
    format!("({}", pattern!(r"\s+").replace_all(&all, ""))
}
