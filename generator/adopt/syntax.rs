//! Nodes of a syntax tree.

use tree_sitter::Node;

pub fn field<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_by_field_name(name)
}
