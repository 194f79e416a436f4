//! A file of C, C++ or CUDA: its functions, and what it includes.

use std::collections::HashMap;

use tree_sitter::{Node, Tree};

use super::blank::{Word, blank};
use super::syntax::field;
use crate::add::c_types::{self, Element};

/// A text and its syntax, in which CUDA's words are blanks.
pub struct Source {
    pub text: String,
    pub words: Vec<Word>,
    tree: Tree,
    is_c: bool,
    /// What other names of types stand for: of `typedef`, `using` and `#define`.
    aliases: HashMap<String, String>,
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
    /// What it is that is neither a pointer nor a value.
    pub is_other: Option<&'static str>,
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

/// A parameter of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateParameter {
    Type(String),
    /// A value, or something else.
    Other {
        has_default: bool,
    },
}

/// The definition of a function.
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
    pub returned: String,
    pub returns_pointer: bool,
    pub parameters: Vec<Parameter>,
    pub body: Option<Node<'t>>,
}

impl Function<'_> {
    /// Whether the linker does not see it: each file that has it may have another one.
    pub fn is_inner(&self) -> bool {
        self.is_template || self.is_local || self.is_inline
    }

    /// What the linker knows it by; nothing if other files may have one that is called so.
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
    /// Behind what was before it.
    start: usize,
}

impl Source {
    /// Fails for what is no text of such a language at all.
    pub fn parse(text: &str, is_c: bool) -> Option<Self> {
        let (left, words) = blank(text);
        let text = String::from_utf8(left).ok()?;
        let mut parser = tree_sitter::Parser::new();
        parser
            .set_language(&tree_sitter_cpp::LANGUAGE.into())
            .ok()?;
        let tree = parser.parse(&text, None)?;
        let mut source = Self {
            text,
            words,
            tree,
            is_c,
            aliases: HashMap::new(),
        };
        source.aliases = source.find_aliases();
        Some(source)
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

    /// Names of types that are others', as this file says.
    pub fn learn(&mut self, other: &Self) {
        for (name, stands_for) in &other.aliases {
            let stands_for = stands_for.clone();
            self.aliases.entry(name.clone()).or_insert(stands_for);
        }
    }

    pub fn functions(&self) -> Vec<Function<'_>> {
        let mut found = Vec::new();
        let place = Place {
            is_c: self.is_c,
            ..Place::default()
        };
        self.walk(self.tree.root_node(), &place, &mut found);
        found
    }

    /// The functions that are declared and not defined, each with its line.
    pub fn declared(&self) -> Vec<(&str, usize)> {
        let mut found = Vec::new();
        let mut left = vec![self.tree.root_node()];
        while let Some(node) = left.pop() {
            match node.kind() {
                "declaration" => found.extend(self.declares(node)),
                "translation_unit"
                | "template_declaration"
                | "namespace_definition"
                | "linkage_specification"
                | "declaration_list"
                | "preproc_if"
                | "preproc_ifdef"
                | "preproc_else"
                | "preproc_elif" => {
                    let mut cursor = node.walk();
                    let inner: Vec<_> = node.named_children(&mut cursor).collect();
                    left.extend(inner.into_iter().rev()); // the first is the next one
                }
                _ => {}
            }
        }
        found
    }

    /// The function that a declaration is of.
    fn declares(&self, node: Node) -> Option<(&str, usize)> {
        let mut declarator = field(node, "declarator")?;
        while matches!(
            declarator.kind(),
            "pointer_declarator" | "reference_declarator"
        ) {
            declarator = field(declarator, "declarator").or_else(|| declarator.named_child(0))?;
        }
        let name = field(declarator, "declarator")?;
        let is_function = declarator.kind() == "function_declarator" && name.kind() == "identifier";
        is_function.then(|| (self.of(name), self.line(name.start_byte())))
    }

    /// The grids of the launches of a kernel, each with its line.
    pub fn launches(&self, kernel: &str) -> Vec<(usize, &str)> {
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
        let launches = self.words.iter().filter(is_of);
        launches
            .map(|it| (self.line(it.at), it.text.as_str()))
            .collect()
    }

    pub fn line(&self, at: usize) -> usize {
        1 + self.text[..at].bytes().filter(|it| *it == b'\n').count()
    }

    fn of(&self, node: Node) -> &str {
        &self.text[node.byte_range()]
    }

    fn walk<'t>(&'t self, node: Node<'t>, place: &Place, found: &mut Vec<Function<'t>>) {
        let mut cursor = node.walk();
        let mut place = place.clone();
        for child in node.named_children(&mut cursor) {
            let mut inner = place.clone();
            match child.kind() {
                "function_definition" => found.extend(self.function(child, &inner)),
                "template_declaration" => {
                    inner.template = Some(self.template(child));
                    self.walk(child, &inner, found);
                }
                "namespace_definition" => {
                    match field(child, "name") {
                        Some(name) => inner.namespaces.push(self.of(name).to_owned()),
                        None => inner.is_local = true,
                    }
                    self.walk(child, &inner, found);
                }
                "linkage_specification" => {
                    inner.is_c = true;
                    self.walk(child, &inner, found);
                }
                "preproc_if" if field(child, "condition").is_some_and(|it| self.of(it) == "0") => {}
                "declaration_list" | "preproc_if" | "preproc_ifdef" | "preproc_else"
                | "preproc_elif" | "ERROR" => self.walk(child, &inner, found),
                _ => {}
            }
            place.start = child.end_byte();
        }
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
        let mut declarator = field(node, "declarator")?;
        let mut returns_pointer = false;
        while matches!(
            declarator.kind(),
            "pointer_declarator" | "reference_declarator"
        ) {
            returns_pointer = true;
            declarator = field(declarator, "declarator").or_else(|| declarator.named_child(0))?;
        }
        let name = field(declarator, "declarator")?;
        if declarator.kind() != "function_declarator" || name.kind() != "identifier" {
            return None; // a method, an operator
        }
        let is_word = |text: &str| {
            let mut words = self.words.iter();
            words.any(|it| (place.start..name.start_byte()).contains(&it.at) && it.text == text)
        };
        let mut cursor = node.walk();
        let before: Vec<_> = node
            .children(&mut cursor)
            .take_while(|it| it.start_byte() < declarator.start_byte())
            .map(|it| self.of(it))
            .collect();
        let list = field(declarator, "parameters")?;
        let mut cursor = list.walk();
        let parameters = list
            .named_children(&mut cursor)
            .map(|it| self.parameter(it));
        Some(without_void(Function {
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
            returned: self.meant(field(node, "type").map_or("", |it| self.of(it))),
            returns_pointer,
            parameters: parameters.collect(),
            body: field(node, "body"),
        }))
    }

    fn parameter(&self, node: Node) -> Parameter {
        let element = field(node, "type").map_or("", |it| self.of(it));
        let mut found = Parameter {
            name: String::new(),
            element: self.meant(element),
            is_const: false,
            pointers: 0,
            is_reference: false,
            is_other: None,
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

    /// The type that a name stands for.
    fn meant(&self, name: &str) -> String {
        let own = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut meant = own.clone();
        for _ in 0..8 {
            let is_known = |it: &str| c_types::dtype(it.trim_end_matches(['*', ' '])).is_some();
            match self.aliases.get(&meant) {
                _ if is_known(&meant) => return meant,
                Some(other) => meant.clone_from(other),
                None => break,
            }
        }
        own
    }

    fn find_aliases(&self) -> HashMap<String, String> {
        let mut found = HashMap::new();
        let mut left = vec![self.tree.root_node()];
        while let Some(node) = left.pop() {
            let (name, of) = match node.kind() {
                "type_definition" => (field(node, "declarator"), field(node, "type")),
                "alias_declaration" => (field(node, "name"), field(node, "type")),
                "preproc_def" => (field(node, "name"), field(node, "value")),
                "function_definition" => continue,
                _ => {
                    let mut cursor = node.walk();
                    left.extend(node.named_children(&mut cursor));
                    continue;
                }
            };
            if let (Some(name), Some(of)) = (name, of) {
                let mut of = self.of(of).split_whitespace().collect::<Vec<_>>().join(" ");
                if name.kind() == "pointer_declarator" {
                    of.push('*');
                }
                let name = self.of(name).trim_start_matches('*').trim().to_owned();
                found.insert(name, of);
            }
        }
        found
    }
}

/// `f(void)` has no parameter.
fn without_void(mut function: Function) -> Function {
    let is_void = |it: &Parameter| it.element == "void" && it.pointers == 0;
    function.parameters.retain(|it| !is_void(it));
    function
}
