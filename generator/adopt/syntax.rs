//! Nodes of a syntax tree.

use tree_sitter::Node;

/// What is in parentheses, or cast.
pub fn inner(mut node: Node) -> Node {
    loop {
        let next = match node.kind() {
            "parenthesized_expression" => node.named_child(0),
            "cast_expression" => field(node, "value"),
            _ => None,
        };
        match next {
            Some(it) => node = it,
            None => return node,
        }
    }
}

pub fn field<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_by_field_name(name)
}
