//! A file of C, C++ or CUDA: its functions, and what it includes.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{Node, ParseOptions, Tree};

use crate::add::blank::{Word, blank};
use crate::add::c_types::{self, Element};

/// The deepest syntax that is looked at: no source that people write has nearly as deep a one.
const DEPTH: u32 = 1000;

/// The longest that a file may take to be parsed; one of a megabyte takes a second.
const LONGEST: Duration = Duration::from_secs(20);

/// Macros that are defined, or not, as the language of a file tells.
const OF_LANGUAGE: [&str; 3] = ["__cplusplus", "__CUDACC__", "__NVCC__"];

/// A text and its syntax, in which CUDA's words are blanks.
pub struct Source {
    pub text: String,
    pub words: Vec<Word>,
    tree: Tree,
    is_c: bool,
    lines: Vec<usize>,
    /// Meanings of other names of types: of `typedef`, `using` and `#define`.
    aliases: HashMap<String, Alias>,
    /// Functions that are declared with default arguments, here and in headers, by their names.
    with_defaults: HashMap<String, Vec<Declared>>,
}

/// Declaration of a function that is defined elsewhere.
#[derive(Clone, Debug)]
struct Declared {
    namespaces: Vec<String>,
    parameters: Vec<Parameter>,
    /// The preprocessor chooses it.
    is_chosen: bool,
}

/// Text that a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Alias {
    text: String,
    /// The preprocessor chooses it.
    is_chosen: bool,
}

#[derive(Clone, Debug)]
pub struct Parameter {
    /// Empty if it has none.
    pub name: String,
    /// The type of the element, without `const`, with what its other names stand for.
    pub element: String,
    pub is_const: bool,
    pub pointers: usize,
    pub is_reference: bool,
    /// Kind of type, if it is neither a pointer nor a value.
    pub is_other: Option<&'static str>,
    /// The name of its type, if the preprocessor chooses that.
    pub chosen: Option<String>,
    /// The value that it has if a call leaves it out.
    pub default: Option<String>,
    /// The preprocessor chooses that value.
    pub is_default_chosen: bool,
}

impl Parameter {
    pub fn is_integer(&self) -> bool {
        let is_integer =
            |it: &Element| matches!(it, Element::Dtype { dtype, count: 1 } if dtype.is_integer());
        self.pointers == 0
            && c_types::dtype(&self.element)
                .as_ref()
                .is_some_and(is_integer)
    }

    /// Its type, in which overloads differ; nothing if that is not known.
    fn linked(&self) -> Option<String> {
        let is_value = self.pointers == 0 && !self.is_reference;
        let constant = if self.is_const && !is_value {
            "const "
        } else {
            ""
        };
        let pointers = "*".repeat(self.pointers);
        let reference = if self.is_reference { "&" } else { "" };
        let text = format!("{constant}{}{pointers}{reference}", self.element);
        self.is_other.is_none().then_some(text)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateParameter {
    Type(String),
    /// A value, or something else.
    Other {
        has_default: bool,
    },
}

pub struct Function<'t> {
    pub name: String,
    pub namespaces: Vec<String>,
    pub line: usize,
    pub is_kernel: bool,
    /// It is called by code for GPUs alone.
    pub is_device: bool,
    /// No other file can call it: it is static, or in a namespace without a name.
    pub is_local: bool,
    pub is_inline: bool,
    pub is_c: bool,
    pub template: Vec<TemplateParameter>,
    pub is_template: bool,
    /// The line of the preprocessor that decides whether it is there.
    pub condition: Option<String>,
    pub returned: String,
    pub returns_pointer: bool,
    pub parameters: Vec<Parameter>,
    pub body: Option<Node<'t>>,
}

impl Function<'_> {
    /// True if the linker does not see it: each file that has it may have another one.
    pub fn is_inner(&self) -> bool {
        self.is_template || self.is_local || self.is_inline
    }

    /// Returns its name for the linker; nothing if other files may have one that is called so.
    pub fn linked(&self) -> Option<String> {
        if self.is_device || self.is_inner() {
            return None;
        }
        if self.is_c || self.name == "main" {
            return Some(self.name.clone());
        }
        let types: Option<Vec<_>> = self.parameters.iter().map(Parameter::linked).collect();
        let name = [&*self.namespaces, std::slice::from_ref(&self.name)].concat();
        Some(format!("{}({})", name.join("::"), types?.join(", ")))
    }
}

/// Where the walk is.
#[derive(Clone, Default)]
struct Place {
    namespaces: Vec<String>,
    is_local: bool,
    is_c: bool,
    template: Option<Vec<TemplateParameter>>,
    condition: Option<String>,
    /// Behind what was before it.
    start: usize,
}

impl Source {
    /// The error says what the text is that is no text of such a language.
    pub fn parse(text: &str, is_c: bool) -> Result<Self, String> {
        let (left, words) = blank(text);
        let text = String::from_utf8(left).map_err(|_| "is not UTF-8".to_owned())?;
        let tree = parsed(&text)?;
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let mut source = Self {
            lines: ends.collect(),
            text,
            words,
            tree,
            is_c,
            aliases: HashMap::new(),
            with_defaults: HashMap::new(),
        };
        source.find_aliases();
        source.find_defaults();
        Ok(source)
    }

    /// The names in `#include`, in their quotes or brackets, and whether only some builds include them.
    pub fn includes(&self) -> Vec<(&str, bool)> {
        let mut found = Vec::new();
        let mut conditions = Vec::new();
        let mut lines = self.text.lines().map(str::trim_start).peekable();
        while let Some(line) = lines.next() {
            let Some(directive) = line.strip_prefix('#').map(str::trim_start) else {
                continue;
            };
            let name = directive.split_whitespace().nth(1).unwrap_or_default();
            if let Some(rest) = directive.strip_prefix("include") {
                found.push((rest.trim(), conditions.contains(&true)));
            } else if directive.starts_with("if") {
                let is_guard = directive.starts_with("ifndef")
                    && lines
                        .peek()
                        .is_some_and(|it| it.contains("define") && it.contains(name));
                conditions.push(!is_guard);
            } else if directive.starts_with("endif") {
                conditions.pop();
            }
        }
        found
    }

    /// Names of types that are others', as a header says, which only some builds include perhaps.
    pub fn learn(&mut self, header: &Self, is_optional: bool) {
        for (name, alias) in &header.aliases {
            let mut alias = alias.clone();
            alias.is_chosen |= is_optional;
            // `#define real float` before a header with `#ifndef real`.
            let is_settled = self.aliases.get(name).is_some_and(|it| !it.is_chosen);
            if !(is_settled && alias.is_chosen) {
                self.add_alias(name, alias);
            }
        }
        for (name, all) in &header.with_defaults {
            let mut all = all.clone();
            all.iter_mut().for_each(|it| it.is_chosen |= is_optional);
            self.with_defaults
                .entry(name.clone())
                .or_default()
                .extend(all);
        }
    }

    /// Takes the first of two that differ; which one a build has is then not known.
    fn add_alias(&mut self, name: &str, alias: Alias) {
        match self.aliases.get_mut(name) {
            None => {
                self.aliases.insert(name.to_owned(), alias);
            }
            Some(known) if known.text == alias.text => known.is_chosen &= alias.is_chosen,
            Some(known) => known.is_chosen = true,
        }
    }

    /// The number that a macro stands for.
    pub fn constant(&self, name: &str) -> Option<&str> {
        let alias = self.aliases.get(name).filter(|it| !it.is_chosen)?;
        alias.text.parse::<u32>().is_ok().then_some(&*alias.text)
    }

    pub fn functions(&self) -> Vec<Function<'_>> {
        let all = self.outermost().into_iter();
        let definitions = all.filter(|(node, _)| node.kind() == "function_definition");
        definitions
            .filter_map(|(node, place)| self.function(node, &place))
            .collect()
    }

    /// Nodes, in order, that are neither a namespace nor may hold functions otherwise.
    fn outermost(&self) -> Vec<(Node<'_>, Place)> {
        let mut found = Vec::new();
        let first = Place {
            is_c: self.is_c,
            ..Place::default()
        };
        let mut left = vec![(self.tree.root_node(), first)];
        while let Some((node, place)) = left.pop() {
            let Some(inner) = self.inside(node, &place) else {
                found.push((node, place));
                continue;
            };
            let mut cursor = node.walk();
            let mut start = inner.start;
            let mut children = Vec::new();
            for child in node.named_children(&mut cursor) {
                let place = Place {
                    start,
                    ..inner.clone()
                };
                start = child.end_byte();
                children.push((child, self.chosen_part(node, child, place)));
            }
            let children = children.into_iter().rev(); // the first is the next one
            left.extend(children.filter_map(|(child, place)| Some((child, place?))));
        }
        found
    }

    /// The place of what is in a node that may hold functions.
    fn inside(&self, node: Node, place: &Place) -> Option<Place> {
        let mut inner = place.clone();
        match node.kind() {
            "template_declaration" => inner.template = Some(self.template(node)),
            "namespace_definition" => match field(node, "name") {
                Some(name) => inner.namespaces.push(self.of(name).to_owned()),
                None => inner.is_local = true,
            },
            "linkage_specification" => inner.is_c = true,
            "translation_unit" | "declaration_list" | "preproc_if" | "preproc_ifdef"
            | "preproc_else" | "preproc_elif" | "ERROR" => {}
            _ => return None,
        }
        Some(inner)
    }

    /// The place of a part, if it is one of `#if`; nothing for one that no build has.
    fn chosen_part(&self, whole: Node, part: Node, mut place: Place) -> Option<Place> {
        if !matches!(
            whole.kind(),
            "preproc_if" | "preproc_ifdef" | "preproc_elif"
        ) {
            return Some(place);
        }
        let condition = field(whole, "condition").map(|it| self.of(it).trim());
        let is_else = field(whole, "alternative") == Some(part);
        match condition {
            Some("0") if !is_else => return None,
            Some("1") if is_else => return None,
            Some("0" | "1") => {}
            _ if self.is_settled(whole) => {}
            _ => {
                let line = self.of(whole).lines().next().unwrap_or_default().trim();
                place.condition.get_or_insert_with(|| line.to_owned());
            }
        }
        Some(place)
    }

    /// Tells whether an `#ifdef` is there against a second inclusion, or tells languages apart.
    fn is_settled(&self, node: Node) -> bool {
        let name = field(node, "name").map_or("", |it| self.of(it));
        let is_guard = self.of(node).trim_start().starts_with("#ifndef")
            && (0..2).filter_map(|it| node.named_child(it)).any(|it| {
                it.kind() == "preproc_def"
                    && field(it, "value").is_none()
                    && field(it, "name").is_some_and(|it| self.of(it) == name)
            });
        is_guard || OF_LANGUAGE.contains(&name)
    }

    /// The functions that are declared and not defined, each with its line.
    pub fn declared(&self) -> Vec<(&str, usize)> {
        let all = self.outermost().into_iter();
        all.filter_map(|(node, _)| self.declares(node))
            .map(|(name, _)| (self.of(name), self.line(name.start_byte())))
            .collect()
    }

    /// The name and the parameters of the function that a declaration is of.
    fn declares<'t>(&self, node: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
        let (declarator, _) = of_function(node).filter(|_| node.kind() == "declaration")?;
        field(declarator, "declarator").zip(field(declarator, "parameters"))
    }

    fn find_defaults(&mut self) {
        let mut found: HashMap<_, Vec<_>> = HashMap::new();
        for (node, place) in self.outermost() {
            let Some((name, list)) = self.declares(node) else {
                continue;
            };
            let parameters: Vec<_> = self.parameters(list);
            if parameters.iter().any(|it| it.default.is_some()) {
                let all: &mut Vec<_> = found.entry(self.of(name).to_owned()).or_default();
                all.push(Declared {
                    namespaces: place.namespaces,
                    parameters,
                    is_chosen: place.condition.is_some(),
                });
            }
        }
        self.with_defaults = found;
    }

    /// Adds the default arguments that declarations of a function have, which its definition cannot repeat.
    fn add_defaults(&self, function: &mut Function) {
        let all = self.with_defaults.get(&function.name).into_iter().flatten();
        let is_same = |(one, other): (&Parameter, &Parameter)| {
            self.meant(&one.element).0 == other.element && one.pointers == other.pointers
        };
        for declared in all.filter(|it| it.namespaces == function.namespaces) {
            let own = &mut function.parameters;
            let is_of_it = declared.parameters.len() == own.len()
                && declared.parameters.iter().zip(&*own).all(is_same);
            for (other, own) in declared.parameters.iter().zip(own).filter(|_| is_of_it) {
                let Some(value) = &other.default else {
                    continue;
                };
                own.is_default_chosen |= declared.is_chosen;
                own.is_default_chosen |= own.default.as_ref().is_some_and(|it| it != value);
                own.default.get_or_insert_with(|| value.clone());
            }
        }
    }

    /// The grids of the launches of a kernel, each with its line.
    pub fn launches(&self, kernel: &str) -> Vec<&Word> {
        let is_of = |word: &&Word| {
            let before = self.text[..word.at].trim_end();
            let name = match before.strip_suffix('>').and_then(|it| it.rfind('<')) {
                Some(at) => before[..at].trim_end(),
                None => before,
            };
            let rest = name.strip_suffix(kernel);
            word.text.starts_with("<<<")
                && rest.is_some_and(|it| !it.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        self.words.iter().filter(is_of).collect()
    }

    pub fn line(&self, at: usize) -> usize {
        1 + self.lines.partition_point(|it| *it <= at)
    }

    fn of(&self, node: Node) -> &str {
        &self.text[node.byte_range()]
    }

    fn template(&self, node: Node) -> Vec<TemplateParameter> {
        let Some(list) = field(node, "parameters") else {
            return Vec::new();
        };
        let mut cursor = list.walk();
        let of = |node: Node| match node.kind() {
            "type_parameter_declaration" => {
                let name = node.named_child(0).map(|it| self.of(it).to_owned());
                TemplateParameter::Type(name.unwrap_or_default())
            }
            kind => TemplateParameter::Other {
                has_default: kind.starts_with("optional"),
            },
        };
        list.named_children(&mut cursor).map(of).collect()
    }

    fn function<'t>(&'t self, node: Node<'t>, place: &Place) -> Option<Function<'t>> {
        let (declarator, returns_pointer) = of_function(node)?;
        let name = field(declarator, "declarator")?;
        let first = self.words.partition_point(|it| it.at < place.start);
        let end = self.words.partition_point(|it| it.at < name.start_byte());
        let words = self.words.get(first..end).unwrap_or_default();
        let is_word = |text: &str| words.iter().any(|it| it.text == text);
        let mut cursor = node.walk();
        let before: Vec<_> = node
            .children(&mut cursor)
            .take_while(|it| it.start_byte() < declarator.start_byte())
            .map(|it| self.of(it))
            .collect();
        let parameters = self.parameters(field(declarator, "parameters")?);
        let mut function = Function {
            name: self.of(name).to_owned(),
            namespaces: place.namespaces.clone(),
            line: self.line(name.start_byte()),
            is_kernel: is_word("__global__"),
            is_device: is_word("__device__") && !is_word("__host__"),
            is_local: place.is_local || before.contains(&"static"),
            is_inline: before.contains(&"inline") || is_word("__forceinline__"),
            is_c: place.is_c,
            template: place.template.clone().unwrap_or_default(),
            is_template: place.template.is_some(),
            condition: place.condition.clone(),
            returned: self
                .meant(field(node, "type").map_or("", |it| self.of(it)))
                .0,
            returns_pointer,
            parameters,
            body: field(node, "body"),
        };
        self.add_defaults(&mut function);
        Some(function)
    }

    /// Parameters of a list; `f(void)` has none.
    fn parameters(&self, list: Node) -> Vec<Parameter> {
        let mut cursor = list.walk();
        let all = list.named_children(&mut cursor);
        all.map(|it| self.parameter(it))
            .filter(|it| it.element != "void" || it.pointers > 0)
            .collect()
    }

    fn parameter(&self, node: Node) -> Parameter {
        let element = field(node, "type").map_or("", |it| self.of(it));
        let (meant, is_chosen) = self.meant(element);
        let mut found = Parameter {
            name: String::new(),
            element: meant,
            is_const: false,
            pointers: 0,
            is_reference: false,
            is_other: None,
            chosen: is_chosen.then(|| element.to_owned()),
            default: field(node, "default_value").map(|it| self.of(it).to_owned()),
            is_default_chosen: false,
        };
        let mut cursor = node.walk();
        let mut qualifiers = node.named_children(&mut cursor);
        found.is_const =
            qualifiers.any(|it| it.kind() == "type_qualifier" && self.of(it) == "const");
        if !node.kind().ends_with("parameter_declaration") {
            found.is_other = Some("more parameters than are named");
        }
        if let Some(pointer) = found.element.strip_suffix('*') {
            found.element = pointer.trim_end().to_owned(); // of a typedef
            found.pointers = 1;
        }
        let mut next = field(node, "declarator");
        while let Some(declarator) = next {
            next = field(declarator, "declarator");
            match declarator.kind() {
                "identifier" => found.name = self.of(declarator).to_owned(),
                "pointer_declarator"
                | "abstract_pointer_declarator"
                | "array_declarator"
                | "abstract_array_declarator" => found.pointers += 1,
                "reference_declarator" | "abstract_reference_declarator" => {
                    found.is_reference = true;
                    next = declarator.named_child(0);
                }
                "function_declarator" | "abstract_function_declarator" => {
                    found.is_other = Some("a pointer to a function");
                }
                _ => {}
            }
        }
        found
    }

    /// The type that a name stands for, and whether the preprocessor chooses it.
    fn meant(&self, name: &str) -> (String, bool) {
        let own = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let (mut meant, mut is_chosen) = (own.clone(), false);
        for _ in 0..8 {
            let is_known = |it: &str| c_types::dtype(it.trim_end_matches(['*', ' '])).is_some();
            match self.aliases.get(&meant) {
                _ if is_known(&meant) => return (meant, is_chosen),
                Some(other) => {
                    is_chosen |= other.is_chosen;
                    meant.clone_from(&other.text);
                }
                None => break,
            }
        }
        (own, false)
    }

    /// Without any macro defined, what comes after `#else` is meant.
    fn find_aliases(&mut self) {
        let mut found = Vec::new();
        let mut left = vec![(self.tree.root_node(), Place::default())];
        while let Some((node, place)) = left.pop() {
            let (name, of) = match node.kind() {
                "type_definition" => (field(node, "declarator"), field(node, "type")),
                "alias_declaration" => (field(node, "name"), field(node, "type")),
                "preproc_def" => (field(node, "name"), field(node, "value")),
                "function_definition" => continue,
                _ => {
                    let mut cursor = node.walk();
                    let children = node.named_children(&mut cursor);
                    let part = |it| Some((it, self.chosen_part(node, it, place.clone())?));
                    left.extend(children.filter_map(part));
                    continue;
                }
            };
            if let (Some(name), Some(of)) = (name, of) {
                let mut text = self.of(of).split_whitespace().collect::<Vec<_>>().join(" ");
                if name.kind() == "pointer_declarator" {
                    text.push('*');
                }
                let name = self.of(name).trim_start_matches('*').trim().to_owned();
                let is_chosen = place.condition.is_some();
                found.push((name, Alias { text, is_chosen }));
            }
        }
        for (name, alias) in found {
            self.add_alias(&name, alias);
        }
    }
}

/// The declarator of a function, in a definition or a declaration of it, and whether it returns a pointer.
///
/// Nothing of a method, an operator, or what is no function.
fn of_function(node: Node) -> Option<(Node, bool)> {
    let mut declarator = field(node, "declarator")?;
    let mut returns_pointer = false;
    while ["pointer_declarator", "reference_declarator"].contains(&declarator.kind()) {
        returns_pointer = true;
        declarator = field(declarator, "declarator").or_else(|| declarator.named_child(0))?;
    }
    let is_function = declarator.kind() == "function_declarator"
        && field(declarator, "declarator")?.kind() == "identifier";
    is_function.then_some((declarator, returns_pointer))
}

pub fn field<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_by_field_name(name)
}

/// The syntax of a text, within a time and a depth that no source of people takes.
fn parsed(text: &str) -> Result<Tree, String> {
    let broken = || "cannot be read as C++".to_owned();
    let mut parser = tree_sitter::Parser::new();
    let language = tree_sitter_cpp::LANGUAGE.into();
    parser.set_language(&language).map_err(|_| broken())?;
    let start = Instant::now();
    let mut in_time = |_: &_| match start.elapsed() < LONGEST {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let options = ParseOptions::new().progress_callback(&mut in_time);
    let mut rest = |at: usize, _| text.as_bytes().get(at..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut rest, None, Some(options));
    let is_late = start.elapsed() >= LONGEST;
    let tree = tree.ok_or_else(|| match is_late {
        true => format!("takes more than {} s to read as C++", LONGEST.as_secs()),
        false => broken(),
    })?;
    let mut cursor = tree.walk();
    loop {
        if cursor.depth() > DEPTH {
            return Err(format!("nests more than {DEPTH} levels deep"));
        }
        while !cursor.goto_first_child() && !cursor.goto_next_sibling() {
            while cursor.goto_parent() && !cursor.goto_next_sibling() {}
            if cursor.depth() == 0 {
                drop(cursor);
                return Ok(tree);
            }
        }
    }
}
