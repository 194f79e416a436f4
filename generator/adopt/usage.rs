//! What a body does with the parameters of its function: which arrays it writes, which integers are their sizes, and which
//! threads there are.

use std::collections::{BTreeMap, HashMap};

use tree_sitter::Node;

use super::source::{Function, Parameter};
use super::syntax::{field, inner};

/// What is done with an array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Use {
    pub is_written: bool,
    /// How often it is passed on, or calculated with, so that nothing is known.
    pub escapes: usize,
    /// Parameters and numbers, if indices tell.
    pub shape: Option<Vec<String>>,
    /// It begins elsewhere later, so that an index is one of a part.
    pub is_moved: bool,
    /// A kernel gets it, so that it is in memory of the GPU.
    pub is_on_gpu: bool,
    /// It is copied from or to the GPU, so that it is in memory of the CPU.
    pub is_on_cpu: bool,
}

/// What is done in a body.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    pub arrays: HashMap<String, Use>,
    /// Up to where threads go along x, y and z: parameters or numbers.
    pub threads: [Option<String>; 3],
    /// Whether threads are told apart by it at all.
    pub has_axis: [bool; 3],
    pub has_dynamic_shared_memory: bool,
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// The parameters of another function, and what it does with them.
pub type Known<'a> = (&'a [Parameter], &'a Usage);

/// Looks at a body; `called` finds what is known of another function.
pub fn usage<'a>(
    function: &Function,
    text: &str,
    called: &dyn Fn(&str) -> Option<Known<'a>>,
) -> Usage {
    let Some(node) = function.body else {
        return Usage::default();
    };
    let body = Body::new(node, text, &function.parameters);
    let mut found = Usage::default();
    for parameter in function.parameters.iter().filter(|it| it.pointers == 1) {
        found
            .arrays
            .insert(parameter.name.clone(), body.array(&parameter.name));
    }
    for (axis, letter) in AXES.iter().enumerate() {
        let names = [format!("threadIdx.{letter}"), format!("blockIdx.{letter}")];
        let of_axis = |text: &str| names.iter().any(|it| text.contains(it));
        found.has_axis[axis] = of_axis(body.text_of(node));
        let mut locals = body
            .locals
            .iter()
            .filter(|(_, value)| of_axis(body.text_of(**value)));
        let of_local = locals.find_map(|(name, _)| body.bounds.get(name));
        let direct = || {
            body.bounds
                .iter()
                .find(|(it, _)| of_axis(it))
                .map(|(_, it)| it)
        };
        found.threads[axis] = of_local.or_else(direct).cloned();
    }
    found.has_dynamic_shared_memory = body.text_of(node).contains("extern ");
    body.follow(node, called, &mut found);
    found
}

struct Body<'t> {
    text: &'t str,
    /// Parameters that may be sizes.
    integers: Vec<String>,
    /// Variables with their first values.
    locals: BTreeMap<String, Node<'t>>,
    /// What an expression is less than.
    bounds: BTreeMap<String, String>,
    nodes: Vec<Node<'t>>,
}

impl<'t> Body<'t> {
    fn new(node: Node<'t>, text: &'t str, parameters: &[Parameter]) -> Self {
        let integers = parameters.iter().filter(|it| it.is_integer());
        let mut body = Self {
            text,
            integers: integers.map(|it| it.name.clone()).collect(),
            locals: BTreeMap::new(),
            bounds: BTreeMap::new(),
            nodes: Vec::new(),
        };
        body.collect(node);
        for node in body.nodes.clone() {
            match node.kind() {
                "init_declarator" => body.local(node),
                "binary_expression" => body.bound(node),
                _ => {}
            }
        }
        body
    }

    fn collect(&mut self, node: Node<'t>) {
        self.nodes.push(node);
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.collect(child);
        }
    }

    fn text_of(&self, node: Node) -> &'t str {
        &self.text[node.byte_range()]
    }

    /// Without blanks, casts and outer parentheses.
    fn flat(&self, node: Node) -> String {
        self.text_of(inner(node)).split_whitespace().collect()
    }

    fn local(&mut self, node: Node<'t>) {
        let (name, value) = (field(node, "declarator"), field(node, "value"));
        if let (Some(name), Some(value)) = (name, value)
            && name.kind() == "identifier"
        {
            self.locals.entry(self.flat(name)).or_insert(value);
        }
    }

    /// `i < n`, `n > i`, and the ones with which a thread ends that has nothing to do.
    fn bound(&mut self, node: Node) {
        let (Some(left), Some(right), Some(sign)) = (
            field(node, "left"),
            field(node, "right"),
            field(node, "operator"),
        ) else {
            return;
        };
        let (less, more) = match self.text_of(sign) {
            "<" | ">=" => (left, right),
            ">" | "<=" => (right, left),
            _ => return,
        };
        let more = self.flat(more);
        if self.is_size(&more) {
            self.bounds.entry(self.flat(less)).or_insert(more);
        }
    }

    fn is_size(&self, text: &str) -> bool {
        let is_number = text.len() < 6 && text.bytes().all(|it| it.is_ascii_digit());
        self.integers.iter().any(|it| it == text) || (is_number && text != "0")
    }

    /// The shape of an array that has this index, in C order: `(z * height + y) * width + x`.
    fn shape(&self, index: Node<'t>, depth: usize) -> Option<Vec<String>> {
        let index = inner(index);
        if let Some(bound) = self.bounds.get(&self.flat(index)) {
            return Some(vec![bound.clone()]);
        }
        if depth == 0 {
            return None;
        }
        if index.kind() == "identifier" {
            return self.shape(*self.locals.get(self.text_of(index))?, depth - 1);
        }
        let (left, right) = self.operands(index, "+")?;
        [(left, right), (right, left)]
            .into_iter()
            .find_map(|(rows, column)| {
                let (a, b) = self.operands(inner(rows), "*")?;
                let (row, width) = [(a, b), (b, a)]
                    .into_iter()
                    .find(|(_, width)| self.is_size(&self.flat(*width)))?;
                let width = self.flat(width);
                let column = self.flat(column);
                let numbers = column.parse::<u32>().ok().zip(width.parse::<u32>().ok());
                let is_inside = numbers.is_some_and(|(column, width)| column < width);
                if self.bounds.get(&column) != Some(&width) && !is_inside {
                    return None;
                }
                let mut shape = self.shape(row, depth - 1)?;
                shape.push(width);
                Some(shape)
            })
    }

    fn operands(&self, node: Node<'t>, sign: &str) -> Option<(Node<'t>, Node<'t>)> {
        let is_it = node.kind() == "binary_expression"
            && field(node, "operator").is_some_and(|it| self.text_of(it) == sign);
        is_it.then(|| Some((field(node, "left")?, field(node, "right")?)))?
    }

    fn array(&self, name: &str) -> Use {
        let mut found = Use::default();
        let is_it = |it: &&Node| it.kind() == "identifier" && self.text_of(**it) == name;
        let mut shapes = Vec::new();
        for node in self.nodes.iter().filter(is_it) {
            let Some(parent) = node.parent() else {
                continue;
            };
            match parent.kind() {
                "subscript_expression" if field(parent, "argument") == Some(*node) => {
                    let index = field(parent, "indices").and_then(|it| it.named_child(0));
                    shapes.extend(index.map(|it| self.shape(it, 4)));
                    written(parent, self, &mut found);
                }
                "pointer_expression" if self.text_of(parent).starts_with('*') => {
                    shapes.push(None);
                    written(parent, self, &mut found);
                }
                "parameter_declaration" | "pointer_declarator" => {}
                "assignment_expression" if field(parent, "left") == Some(*node) => {
                    found.is_moved = true
                }
                "update_expression" => found.is_moved = true,
                _ => found.escapes += 1,
            }
        }
        let first = shapes.first().cloned().flatten();
        let agree = shapes.iter().flatten().all(|it| Some(it) == first.as_ref());
        found.shape = first.filter(|_| agree && !found.is_moved);
        found.escapes += usize::from(found.is_moved);
        found
    }

    /// What functions that are called, and kernels that are launched, do with the arrays.
    fn follow<'a>(
        &self,
        node: Node<'t>,
        called: &dyn Fn(&str) -> Option<Known<'a>>,
        found: &mut Usage,
    ) {
        for call in self
            .nodes
            .iter()
            .filter(|it| it.kind() == "call_expression")
        {
            let Some((name, arguments)) = field(*call, "function").zip(field(*call, "arguments"))
            else {
                continue;
            };
            let name = self.flat(name);
            let mut cursor = node.walk();
            let arguments: Vec<_> = arguments.named_children(&mut cursor).collect();
            if name.starts_with("cudaMemcpy") {
                let kind = self.text_of(*call);
                for (at, way) in [(0, "DeviceToHost"), (1, "HostToDevice")] {
                    let place = arguments.get(at).map(|it| self.flat(*it));
                    if let Some(it) = place.and_then(|it| found.arrays.get_mut(&it)) {
                        it.is_on_cpu |= kind.contains(way);
                    }
                }
            }
            let base = name.split('<').next().unwrap_or_default();
            let base = base.rsplit("::").next().unwrap_or_default();
            let Some((parameters, usage)) = called(base) else {
                continue;
            };
            let given: Vec<_> = arguments.iter().map(|it| self.flat(*it)).collect();
            let names: HashMap<_, _> = parameters.iter().map(|it| &it.name).zip(&given).collect();
            for (parameter, given) in parameters.iter().zip(&given) {
                if let (Some(of), Some(it)) = (
                    usage.arrays.get(&parameter.name),
                    found.arrays.get_mut(given),
                ) {
                    it.is_on_gpu = true;
                    it.is_moved |= of.is_moved;
                    it.escapes = it.escapes.saturating_sub(1); // this is known
                    it.is_written |= (of.is_written || of.escapes > 0) && !parameter.is_const;
                    let shape = of.shape.iter().flatten().map(|size| {
                        let given = names.get(size).map_or(size, |it| *it);
                        self.is_size(given).then(|| given.clone())
                    });
                    let shape: Option<Vec<_>> = shape.collect();
                    it.shape = it.shape.take().or(shape.filter(|it| !it.is_empty()));
                }
            }
        }
    }
}

/// Whether an element is written: assigned, counted up or passed by its address.
fn written(element: Node, body: &Body, found: &mut Use) {
    let (mut child, mut next) = (element, element.parent());
    while let Some(parent) = next {
        match parent.kind() {
            "parenthesized_expression" | "field_expression" => {}
            "assignment_expression" => {
                found.is_written |= field(parent, "left") == Some(child);
                return;
            }
            "update_expression" => {
                found.is_written = true;
                return;
            }
            "pointer_expression" => {
                found.escapes += usize::from(body.text_of(parent).starts_with('&'));
                return;
            }
            // What takes an argument may take it by reference.
            "argument_list" => {
                let call = parent.parent().and_then(|it| field(it, "function"));
                let name = call.map_or("", |it| body.text_of(it));
                found.is_written |= name.starts_with("atomic") || name.contains("swap");
                return;
            }
            "init_declarator" => {
                let by_reference = field(parent, "declarator");
                let is_reference =
                    by_reference.is_some_and(|it| it.kind() == "reference_declarator");
                found.escapes += usize::from(is_reference);
                return;
            }
            _ => return,
        }
        (child, next) = (parent, parent.parent());
    }
}
