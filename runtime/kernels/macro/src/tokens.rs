//! Tokens that the macros write, and names among those that they read.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

pub fn grouped(delimiter: Delimiter, stream: TokenStream) -> TokenTree {
    Group::new(delimiter, stream).into()
}

pub fn braced(stream: TokenStream) -> TokenTree {
    grouped(Delimiter::Brace, stream)
}

/// Code of the macros' own.
pub fn tokens(code: &str) -> TokenStream {
    code.parse()
        .unwrap_or_else(|_| panic!("`{code}` is not made of tokens"))
}

/// Idents among tokens, in groups too.
pub fn names(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(name) => found.push(name.to_string()),
            TokenTree::Group(group) => found.extend(names(Group::stream(&group))),
            _ => {}
        }
    }
    found
}
