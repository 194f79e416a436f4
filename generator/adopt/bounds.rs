//! Sizes that indices stay below, as loops and conditions around an access tell.
//!
//! An index is understood if all of it is: where it starts, how it grows, and each condition that limits it. Of any
//! other one nothing is said, for a size that is guessed from it lets a call read past the end of an array.

use std::collections::{BTreeMap, HashMap, HashSet};

use tree_sitter::Node;

use super::source::{Function, field};
use crate::add::c_types::{self, Element};

/// Depth to which an index is followed through variables and products.
const DEPTH: usize = 6;

/// The nodes of a body, and what is known of its variables.
pub struct Bounds<'t> {
    text: &'t str,
    pub nodes: Vec<Node<'t>>,
    /// By the identity of a node: asking a node itself takes as long as it is deep.
    parents: HashMap<usize, Node<'t>>,
    /// Parameters that may be sizes: nothing assigns them.
    integers: Vec<&'t str>,
    /// Variables with their first values; `None` for a name of several variables.
    pub locals: BTreeMap<&'t str, Option<Node<'t>>>,
    /// Variables that are assigned, or counted otherwise than up by the loop that they are of.
    changed: HashSet<&'t str>,
    counted: HashSet<&'t str>,
}

impl<'t> Bounds<'t> {
    pub fn new(body: Node<'t>, function: &'t Function, text: &'t str) -> Self {
        let mut bounds = Self {
            text,
            nodes: vec![body],
            parents: HashMap::new(),
            integers: Vec::new(),
            locals: BTreeMap::new(),
            changed: HashSet::new(),
            counted: HashSet::new(),
        };
        let mut next = 0;
        while let Some(node) = bounds.nodes.get(next).copied() {
            let mut cursor = node.walk();
            for child in node.named_children(&mut cursor) {
                bounds.parents.insert(child.id(), node);
                bounds.nodes.push(child);
            }
            next += 1;
        }
        for node in bounds.nodes.clone() {
            bounds.declare(node);
        }
        for node in bounds.nodes.clone() {
            bounds.change(node);
        }
        let parameters = function.parameters.iter().filter(|it| it.is_integer());
        let names = parameters.map(|it| it.name.as_str());
        let is_free = |it: &&str| {
            let known = [&bounds.changed, &bounds.counted];
            !known.iter().any(|all| all.contains(it)) && !bounds.locals.contains_key(it)
        };
        bounds.integers = names.filter(is_free).collect();
        bounds
    }

    pub fn text_of(&self, node: Node) -> &'t str {
        &self.text[node.byte_range()]
    }

    /// Without blanks, casts and outer parentheses.
    pub fn flat(&self, node: Node) -> String {
        self.text_of(self.inner(node)).split_whitespace().collect()
    }

    pub fn parent(&self, node: Node<'t>) -> Option<Node<'t>> {
        self.parents.get(&node.id()).copied()
    }

    /// Without parentheses, and casts to an integer that indices fit into.
    fn inner<'n>(&self, mut node: Node<'n>) -> Node<'n> {
        let is_wide = |node: Node| {
            let dtype = field(node, "type").and_then(|it| c_types::dtype(self.text_of(it)));
            matches!(dtype, Some(Element::Dtype { dtype, count: 1 })
                if ["int32", "uint32", "int64", "uint64"].contains(&dtype.numpy()))
        };
        loop {
            let next = match node.kind() {
                "parenthesized_expression" => node.named_child(0),
                "cast_expression" if is_wide(node) => field(node, "value"),
                _ => None,
            };
            match next {
                Some(it) => node = it,
                None => return node,
            }
        }
    }

    fn declare(&mut self, node: Node<'t>) {
        let is_declared = |it: Node| ["declaration", "init_declarator"].contains(&it.kind());
        let Some(parent) = self.parent(node).filter(|it| is_declared(*it)) else {
            return;
        };
        if node.kind() == "identifier" && field(parent, "declarator") == Some(node) {
            let entry = self.locals.entry(self.text_of(node));
            entry
                .and_modify(|it| *it = None)
                .or_insert(field(parent, "value"));
        }
    }

    fn change(&mut self, node: Node<'t>) {
        let (name, is_up) = match node.kind() {
            "update_expression" => (field(node, "argument"), self.text_of(node).contains("++")),
            "assignment_expression" if self.is_at(node, "initializer") => return,
            "assignment_expression" => {
                let is_sum = field(node, "operator").is_some_and(|it| self.text_of(it) == "+=");
                let step = field(node, "right");
                let is_up = step.is_some_and(|it| self.starts_at_zero(it, DEPTH));
                (field(node, "left"), is_sum && is_up)
            }
            "pointer_expression" if self.text_of(node).starts_with('&') => {
                (field(node, "argument"), false)
            }
            _ => return,
        };
        if let Some(name) = name.filter(|it| it.kind() == "identifier") {
            let name = self.text_of(name);
            match is_up && self.is_of_loop(node) {
                true => self.counted.insert(name),
                false => self.changed.insert(name),
            };
        }
    }

    /// Tells whether this is what a loop has in that place, with others perhaps.
    fn is_at(&self, node: Node<'t>, place: &str) -> bool {
        let (mut child, mut next) = (node, self.parent(node));
        while let Some(parent) = next.filter(|it| it.kind() == "comma_expression") {
            (child, next) = (parent, self.parent(parent));
        }
        next.is_some_and(|it| it.kind() == "for_statement" && field(it, place) == Some(child))
    }

    /// Tells whether it is done after each round of a loop: `for (…; …; i++)`, or the last line of a `while`.
    fn is_of_loop(&self, node: Node<'t>) -> bool {
        let is_last = || {
            let statement = self
                .parent(node)
                .filter(|it| it.kind() == "expression_statement")?;
            let block = self.parent(statement)?;
            let end =
                block.named_child(u32::try_from(block.named_child_count().checked_sub(1)?).ok()?);
            Some(end == Some(statement) && self.parent(block)?.kind() == "while_statement")
        };
        self.is_at(node, "update") || is_last() == Some(true)
    }

    pub fn is_size(&self, text: &str) -> bool {
        let is_number = text.len() < 6 && text.bytes().all(|it| it.is_ascii_digit());
        self.integers.contains(&text) || (is_number && text != "0")
    }

    /// The shape of an array that has this index there, in C order: `(z * height + y) * width + x`.
    pub fn shape(&self, index: Node<'t>, place: Node<'t>) -> Option<Vec<String>> {
        self.shape_within(index, place, DEPTH)
    }

    fn shape_within(&self, index: Node<'t>, place: Node<'t>, depth: usize) -> Option<Vec<String>> {
        let index = self.inner(index);
        if let Some(bound) = self.bound(index, place) {
            return Some(vec![bound]);
        }
        let depth = depth.checked_sub(1)?;
        if index.kind() == "identifier" {
            let name = self.text_of(index);
            let is_steady = !self.changed.contains(name) && !self.counted.contains(name);
            let value = self.locals.get(name).copied().flatten();
            return self.shape_within(value.filter(|_| is_steady)?, place, depth);
        }
        let (left, right) = self.operands(index, "+")?;
        let mut orders = [(left, right), (right, left)].into_iter();
        orders.find_map(|(rows, column)| {
            let (a, b) = self.operands(self.inner(rows), "*")?;
            let mut both = [(a, b), (b, a)].into_iter();
            let (row, width) = both.find(|(_, width)| self.is_size(&self.flat(*width)))?;
            let width = self.flat(width);
            let numbers = self
                .flat(column)
                .parse::<u32>()
                .ok()
                .zip(width.parse().ok());
            let is_inside = numbers.is_some_and(|(column, width)| column < width);
            if !is_inside && self.bound(self.inner(column), place).as_ref() != Some(&width) {
                return None;
            }
            let mut shape = self.shape_within(row, place, depth)?;
            shape.push(width);
            Some(shape)
        })
    }

    /// The shape of `x[3 * i]`, if that is the first of three.
    pub fn shape_of_product(&self, index: Node<'t>, place: Node<'t>) -> Option<Vec<String>> {
        let (a, b) = self.operands(self.inner(index), "*")?;
        let is_number = |it: &Node<'t>| it.kind() == "number_literal";
        let (row, width) = [(a, b), (b, a)].into_iter().find(|(_, it)| is_number(it))?;
        let mut shape = self.shape(row, place)?;
        shape.push(self.flat(width));
        Some(shape)
    }

    pub fn operands(&self, node: Node<'t>, sign: &str) -> Option<(Node<'t>, Node<'t>)> {
        let is_it = node.kind() == "binary_expression"
            && field(node, "operator").is_some_and(|it| self.text_of(it) == sign);
        is_it.then(|| Some((field(node, "left")?, field(node, "right")?)))?
    }

    /// The one size that an index, which starts at zero or later, is below there.
    fn bound(&self, index: Node<'t>, place: Node<'t>) -> Option<String> {
        let name = self.flat(index);
        let is_variable = index.kind() == "identifier";
        if self.changed.contains(&*name) || !is_variable && !self.starts_at_zero(index, DEPTH) {
            return None;
        }
        let mut limits = Vec::new();
        let (mut is_started, mut is_counted) = (!is_variable, !self.counted.contains(&*name));
        let mut child = place;
        while let Some(parent) = self.parent(child) {
            let mut start = None;
            if parent.kind() == "compound_statement" {
                let before = self.before(parent, child);
                let starts = before.iter().map(|it| self.starts(*it, &name));
                let at = starts.clone().position(|it| it.is_some());
                start = starts.flatten().next();
                let conditions = before[..at.unwrap_or(before.len())].iter();
                let conditions = conditions.filter_map(|it| self.leaves(*it));
                limits.extend(conditions.flat_map(|it| self.limits(it, false, &name)));
            } else if let Some((condition, holds)) = self.condition(parent, child) {
                limits.extend(self.limits(condition, holds, &name));
            }
            if ["for_statement", "while_statement"].contains(&parent.kind()) {
                is_counted |= self.counts(parent, &name);
                start = field(parent, "initializer").and_then(|it| self.starts(it, &name));
            }
            if let Some(is_from_zero) = start {
                is_started |= is_from_zero;
                break;
            }
            child = parent;
        }
        let (first, others) = limits.split_first()?;
        let agree = others.iter().all(|it| it == first);
        first.clone().filter(|_| agree && is_started && is_counted)
    }

    /// Finds the condition that holds, or does not, where a part of a statement or an expression is reached.
    fn condition(&self, whole: Node<'t>, part: Node<'t>) -> Option<(Node<'t>, bool)> {
        let is_part = |name: &str| field(whole, name) == Some(part);
        let condition = field(whole, "condition");
        match whole.kind() {
            "for_statement" | "while_statement" if is_part("body") => {
                condition.map(|it| (it, true))
            }
            "if_statement" | "conditional_expression" if is_part("consequence") => {
                condition.map(|it| (it, true))
            }
            "if_statement" | "conditional_expression" if is_part("alternative") => {
                condition.map(|it| (it, false))
            }
            "binary_expression" if is_part("right") => {
                let of = |sign, holds| self.operands(whole, sign).map(|it| (it.0, holds));
                of("&&", true).or_else(|| of("||", false))
            }
            _ => None,
        }
    }

    /// The statements before one of a block, the last one first.
    fn before(&self, block: Node<'t>, statement: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = block.walk();
        let all = block.named_children(&mut cursor);
        let mut before: Vec<_> = all.take_while(|it| *it != statement).collect();
        before.reverse();
        before
    }

    /// Tells whether a loop counts a variable, which loops do in one place.
    fn counts(&self, of: Node<'t>, name: &str) -> bool {
        let last = |it: Node<'t>| it.named_children(&mut it.walk()).last();
        let place = field(of, "update").or_else(|| last(field(of, "body")?));
        let words = place.map_or("", |it| self.text_of(it));
        let mut words = words.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.any(|it| it == name)
    }

    /// Tells whether a variable that a statement declares or assigns is zero or more then.
    fn starts(&self, statement: Node<'t>, name: &str) -> Option<bool> {
        let mut left = vec![statement];
        while let Some(node) = left.pop() {
            let (variable, value) = match node.kind() {
                "init_declarator" => (field(node, "declarator"), field(node, "value")),
                "assignment_expression" => (field(node, "left"), field(node, "right")),
                "identifier" if statement.kind() == "declaration" => (Some(node), None),
                "declaration" | "expression_statement" | "comma_expression" => {
                    let mut cursor = node.walk();
                    left.extend(node.named_children(&mut cursor));
                    continue;
                }
                _ => continue,
            };
            if variable.is_some_and(|it| self.text_of(it) == name) {
                return Some(value.is_some_and(|it| self.starts_at_zero(it, DEPTH)));
            }
        }
        None
    }

    /// The condition of a statement that ends the thread, or the round of a loop.
    fn leaves(&self, statement: Node<'t>) -> Option<Node<'t>> {
        let consequence = field(statement, "consequence")?;
        let mut cursor = consequence.walk();
        let last = match consequence.kind() {
            "compound_statement" => consequence.named_children(&mut cursor).last()?,
            _ => consequence,
        };
        let leaves = ["return_statement", "continue_statement", "break_statement"];
        let is_it = statement.kind() == "if_statement" && leaves.contains(&last.kind());
        field(statement, "condition").filter(|_| is_it && field(statement, "alternative").is_none())
    }

    /// The limits of an index that a condition has if it holds, or if it does not; `None` for what is not a size.
    fn limits(&self, condition: Node<'t>, holds: bool, name: &str) -> Vec<Option<String>> {
        let mut found = Vec::new();
        let mut left = vec![condition];
        while let Some(node) = left.pop() {
            let node = self.inner(match node.kind() {
                "condition_clause" => field(node, "value").unwrap_or(node),
                _ => node,
            });
            if let Some((a, b)) = self.operands(node, if holds { "&&" } else { "||" }) {
                left.extend([a, b]);
                continue;
            }
            // The opposite signs, if the condition does not hold.
            let signs = if holds {
                ["<", ">", "<=", ">=", "=="]
            } else {
                [">=", "<=", ">", "<", "!="]
            };
            for (at, sign) in signs.into_iter().enumerate() {
                let Some((a, b)) = self.operands(node, sign) else {
                    continue;
                };
                let (less, more) = if at == 1 || at == 3 { (b, a) } else { (a, b) };
                let more = self.flat(more);
                let is_strict = at < 2 && self.is_size(&more);
                if self.flat(less) == name {
                    found.push(is_strict.then_some(more));
                } else if at == 4 && more == name {
                    found.push(None);
                }
            }
        }
        found
    }

    /// Tells whether a value is surely zero or more: numbers, what tells threads apart, and their sums and products.
    fn starts_at_zero(&self, value: Node<'t>, depth: usize) -> bool {
        let (value, Some(depth)) = (self.inner(value), depth.checked_sub(1)) else {
            return false;
        };
        let text = self.flat(value);
        let axes = ["threadIdx.", "blockIdx.", "blockDim.", "gridDim."];
        let starts = |it: Node<'t>| self.starts_at_zero(it, depth);
        match value.kind() {
            "number_literal" => true,
            "field_expression" => axes.iter().any(|it| text.starts_with(it)),
            "identifier" => {
                let value = self.locals.get(&*text).copied().flatten();
                !self.changed.contains(&*text) && value.is_some_and(starts)
            }
            _ => match (self.operands(value, "+"), self.operands(value, "*")) {
                (Some((a, b)), _) => starts(a) && starts(b),
                // A size is not negative.
                (_, Some((a, b))) => [a, b]
                    .into_iter()
                    .all(|it| starts(it) || self.is_size(&self.flat(it))),
                _ => false,
            },
        }
    }
}
