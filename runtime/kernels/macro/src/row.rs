//! Parts of a function's row, which the core reads.

use cuvec_declare::Declaration;
use cuvec_declare::signature::words;
use proc_macro::{Delimiter, TokenStream};

use crate::tokens::{grouped, tokens};

/// Documentation, signature and structs, each in brackets, as `__row!` takes them. The declaration is one of a method if
/// there are inherited variables.
pub fn row(declaration: &Declaration, docs: TokenStream, inherited: usize) -> TokenStream {
    let signature = words(declaration, inherited).join(" ");
    let structs = declaration.structs.iter().map(|it| &*it.name);
    let parts = [
        docs,
        tokens(&format!("{signature:?}")),
        tokens(&structs.collect::<Vec<_>>().join(" ")),
    ];
    let parts = parts.map(|it| grouped(Delimiter::Bracket, it));
    parts.into_iter().collect()
}
