//! The macros that declare functions: the head of a declaration is read by `cuvec-declare`, and the rest of it, which
//! is Rust, by macros of the crate `cuvec-kernels`.

mod class;
mod head;
mod parameters;
mod text;
mod tokens;

use proc_macro::TokenStream;

/// Declares a function; see `cuvec-kernels`.
#[proc_macro]
pub fn kernel(input: TokenStream) -> TokenStream {
    head::function(input.into_iter().collect(), &head::Class::default())
        .unwrap_or_else(text::Error::tokens)
}

/// Declares a class; see `cuvec-kernels`.
#[proc_macro]
pub fn class(input: TokenStream) -> TokenStream {
    class::class(input.into_iter().collect()).unwrap_or_else(text::Error::tokens)
}
