//! Finds the use of a function's parameters in its body: which arrays it writes, which integers are
//! their sizes, and which threads there are.

use std::collections::{BTreeMap, HashMap};

use tree_sitter::Node;

use super::bounds::Bounds;
use super::source::{Function, Parameter, field};

/// The shape of an array, as indices tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Nothing is read or written.
    #[default]
    Unseen,
    /// Parameters and numbers, which all indices agree on.
    Known(Vec<String>),
    Unclear,
}

impl Shape {
    /// With what another place tells.
    fn and(&mut self, other: Self) {
        *self = match (std::mem::take(self), other) {
            (Self::Unseen, it) | (it, Self::Unseen) => it,
            (one, other) if one == other => one,
            _ => Self::Unclear,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Use {
    pub is_written: bool,
    /// How often it is passed on, or calculated with, so that nothing is known.
    pub escapes: usize,
    pub shape: Shape,
    /// It begins elsewhere later, so that an index is one of a part.
    pub is_moved: bool,
    /// The body reads or writes an element.
    pub is_touched: bool,
    /// A kernel gets it, so that it is in memory of the GPU.
    pub is_on_gpu: bool,
    /// It is copied from or to the GPU, so that it is in memory of the CPU.
    pub is_on_cpu: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Usage {
    pub arrays: HashMap<String, Use>,
    /// How threads are told apart along x, y and z.
    pub threads: [Axis; 3],
    pub has_dynamic_shared_memory: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Axis {
    pub has_threads: bool,
    pub has_blocks: bool,
    /// A parameter or a number that they stay below.
    pub end: Option<String>,
    /// Each block has a row, whose elements its threads share: `end` is the number of rows.
    pub has_rows: bool,
    /// An array with an element for each row.
    pub row_array: Option<String>,
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// The parameters of another function, and what it does with them.
pub type Known<'a> = (&'a [Parameter], &'a Usage);

/// Looks at a body; `called` finds what is known of another function.
pub fn usage<'a>(
    function: &Function<'_>,
    text: &str,
    called: &dyn Fn(&str) -> Option<Known<'a>>,
) -> Usage {
    let Some(node) = function.body else {
        return Usage::default();
    };
    let body = Bounds::new(node, function, text);
    let mut found = Usage::default();
    for parameter in function.parameters.iter().filter(|it| it.pointers == 1) {
        found
            .arrays
            .insert(parameter.name.clone(), body.array(&parameter.name));
    }
    let limits = body.first_limits();
    for (axis, letter) in AXES.iter().enumerate() {
        let [thread, block] = ["threadIdx", "blockIdx"].map(|it| format!("{it}.{letter}"));
        let of_axis = |text: &str| text.contains(&thread) || text.contains(&block);
        let whole = body.text_of(node);
        found.threads[axis] = Axis {
            has_threads: whole.contains(&thread),
            has_blocks: whole.contains(&block),
            ..Axis::default()
        };
        let mut locals = body.locals.iter();
        let of_local = locals.find_map(|(name, value)| {
            let is_of_axis = value.is_some_and(|it| of_axis(body.text_of(it)));
            limits.get(*name).filter(|_| is_of_axis)
        });
        let direct = limits.iter().find(|(it, _)| of_axis(it)).map(|(_, it)| it);
        found.threads[axis].end = of_local.or(direct).cloned();
        if found.threads[axis].has_threads {
            body.find_rows(&block, &limits, &mut found.threads[axis]);
        }
    }
    found.has_dynamic_shared_memory = body.text_of(node).contains("extern ");
    body.follow(node, called, &mut found);
    for of in found.arrays.values_mut() {
        if of.escapes > 0 || node.has_error() {
            of.shape = Shape::Unclear;
        }
    }
    found
}

impl<'t> Bounds<'t> {
    /// Finds the first size that each expression is compared with, for a guess of a grid.
    fn first_limits(&self) -> BTreeMap<String, String> {
        let mut found = BTreeMap::new();
        for node in self
            .nodes
            .iter()
            .filter(|it| it.kind() == "binary_expression")
        {
            let signs = ["<", ">=", ">", "<="].into_iter().enumerate();
            for (at, sign) in signs {
                let Some((left, right)) = self.operands(*node, sign) else {
                    continue;
                };
                let (less, more) = if at < 2 { (left, right) } else { (right, left) };
                let more = self.flat(more);
                if self.is_size(&more) {
                    found.entry(self.flat(less)).or_insert(more);
                }
            }
        }
        found
    }

    /// Tells whether the index of a block is the index of a row: it selects elements itself, and not with `blockDim`.
    fn find_rows(&self, block: &str, limits: &BTreeMap<String, String>, axis: &mut Axis) {
        let is_block = |it: Node<'t>| {
            let text = self.flat(it);
            let value = || self.locals.get(&*text).copied().flatten();
            text == block || value().is_some_and(|it| self.flat(it) == block)
        };
        let is_number = |it: &str| it.parse::<u32>().is_ok();
        let is_width = |it: Node<'t>| {
            let text = self.flat(it);
            self.is_size(&text) && !is_number(&text)
        };
        for node in &self.nodes {
            if let Some((a, b)) = self.operands(*node, "*").filter(|_| axis.has_blocks) {
                match [(a, b), (b, a)].into_iter().find(|it| is_block(it.0)) {
                    Some((_, width)) if is_width(width) => axis.has_rows = true,
                    Some(_) => return axis.has_rows = false,
                    None => {}
                }
            } else if node.kind() == "subscript_expression" {
                let index = field(*node, "indices").and_then(|it| it.named_child(0));
                let array = field(*node, "argument").map(|it| self.flat(it));
                if index.is_some_and(is_block) {
                    axis.has_rows = true;
                    axis.row_array = axis.row_array.take().or(array);
                }
            }
        }
        if axis.has_rows {
            let rows = self.nodes.iter().filter(|it| is_block(**it));
            let mut ends = rows.filter_map(|it| limits.get(&self.flat(*it)));
            axis.end = ends.next().cloned();
        }
    }

    fn array(&self, name: &str) -> Use {
        let mut found = Use::default();
        let is_it = |it: &&Node| it.kind() == "identifier" && self.text_of(**it) == name;
        // Shapes of indices such as `x[3 * i]`, which are clear only if another index has the same.
        let mut of_products = Vec::new();
        for node in self.nodes.iter().filter(is_it) {
            let Some(parent) = self.parent(*node) else {
                continue;
            };
            match parent.kind() {
                "subscript_expression" if field(parent, "argument") == Some(*node) => {
                    let index = field(parent, "indices").and_then(|it| it.named_child(0));
                    let shape = index.and_then(|it| self.shape(it, parent));
                    let product = index.and_then(|it| self.shape_of_product(it, parent));
                    match (shape, product) {
                        (None, Some(shape)) => of_products.push(shape),
                        (shape, _) => found.shape.and(shape.map_or(Shape::Unclear, Shape::Known)),
                    }
                    found.is_touched = true;
                    self.written(parent, &mut found);
                }
                "pointer_expression" if self.text_of(parent).starts_with('*') => {
                    found.shape = Shape::Unclear;
                    found.is_touched = true;
                    self.written(parent, &mut found);
                }
                "parameter_declaration" | "pointer_declarator" => {}
                "assignment_expression" if field(parent, "left") == Some(*node) => {
                    found.is_moved = true
                }
                "update_expression" => found.is_moved = true,
                _ => found.escapes += 1,
            }
        }
        if !of_products
            .iter()
            .all(|it| found.shape == Shape::Known(it.clone()))
        {
            found.shape = Shape::Unclear;
        }
        found.escapes += usize::from(found.is_moved);
        found
    }

    /// Follows the arrays into functions that are called, and kernels that are launched.
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
                    it.shape.and(match &of.shape {
                        Shape::Known(shape) => {
                            let given = shape.iter().map(|size| {
                                let given = names.get(size).map_or(size, |it| *it);
                                self.is_size(given).then(|| given.clone())
                            });
                            let given: Option<Vec<_>> = given.collect();
                            given.map_or(Shape::Unclear, Shape::Known)
                        }
                        other => other.clone(),
                    });
                }
            }
        }
    }

    /// Notes whether an element is written: assigned, counted up or passed by its address.
    fn written(&self, element: Node<'t>, found: &mut Use) {
        let (mut child, mut next) = (element, self.parent(element));
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
                // `atomicAdd(&x[i], 1)`
                "pointer_expression"
                    if self.parent(parent).is_some_and(|it| self.is_of_atomic(it)) =>
                {
                    found.is_written = true;
                    return;
                }
                "pointer_expression" => {
                    found.escapes += usize::from(self.text_of(parent).starts_with('&'));
                    return;
                }
                // A function may take its argument by reference.
                "argument_list" => {
                    found.is_written |= self.name_of_call(parent).contains("swap");
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
            (child, next) = (parent, self.parent(parent));
        }
    }

    fn is_of_atomic(&self, arguments: Node<'t>) -> bool {
        self.name_of_call(arguments).starts_with("atomic")
    }

    fn name_of_call(&self, arguments: Node<'t>) -> &'t str {
        let call = self.parent(arguments);
        let name = call.and_then(|it| field(it, "function"));
        name.map_or("", |it| self.text_of(it))
    }
}
