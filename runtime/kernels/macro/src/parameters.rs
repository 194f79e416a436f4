//! Arguments and results as the macros of `cuvec-kernels` take them: `{name mode [type] [extents] (default) place}`.

use cuvec_declare::Declaration;
use cuvec_declare::declaration::{Argument, Kind, Outcome, Role, Type};
use proc_macro::{Delimiter, Ident, Span, TokenStream, TokenTree};

use crate::text::{Error, Placed, Result, Text};
use crate::tokens::{braced, grouped, tokens};

const ARRAY: &str = "an array is written as in Rust: `x: &T[n]`, `-> y: T[n]`";

pub fn parameters(declaration: &Declaration, text: &Text) -> Result<TokenStream> {
    declaration
        .arguments
        .iter()
        .map(|it| argument(it, text))
        .collect()
}

fn argument(argument: &Argument, text: &Text) -> Result<TokenTree> {
    let written = written(text, argument.at);
    let name = written[0].token.clone();
    let typed = &written[2].token; // behind the colon
    let none = TokenStream::new;
    let (mode, dtype, extents) = match &argument.kind {
        Kind::Number => ("scalar".to_owned(), typed.clone().into(), none()),
        Kind::Tuple(_) if !matches!(typed, TokenTree::Group(_)) => {
            let message = "a tuple is written as in Rust: `[i64; 2]`";
            return Err(Error::new(typed.span(), message));
        }
        Kind::Tuple(_) => ("scalar".to_owned(), typed.clone().into(), none()),
        Kind::Option(_) => ("scalar".to_owned(), name.clone().into(), none()),
        Kind::DType => ("scalar".to_owned(), tokens("i32"), none()),
        Kind::Array { shape, .. } => {
            let (dtype, extents) = array(written)?;
            let layout = match shape.layout {
                "" => String::new(),
                layout => format!("_{layout}"),
            };
            (format!("{}{layout}", mode(argument)), dtype.into(), extents)
        }
    };
    Ok(parameter(name, &mode, dtype, extents, none(), "own"))
}

fn mode(argument: &Argument) -> &'static str {
    match (argument.role(), argument.is_optional()) {
        (Some(Role::Inout), false) => "inout",
        (Some(Role::Out), false) => "fresh",
        (_, false) => "read",
        (Some(Role::Inout), true) => "maybe_inout",
        (Some(Role::Out), true) => "maybe_fresh",
        (_, true) => "maybe",
    }
}

pub fn results(declaration: &Declaration, text: &Text) -> Result<TokenStream> {
    declaration
        .results
        .iter()
        .map(|it| result(it, text))
        .collect()
}

fn result(result: &Outcome, text: &Text) -> Result<TokenTree> {
    let written = written(text, result.at);
    let has_name = written.get(1).is_some_and(|it| it.token.to_string() == ":");
    let (name, place) = match (has_name, &result.shape) {
        (false, Some(_)) => {
            let message = "a result that is an array has a name: `-> y: T[n]`";
            return Err(Error::new(written[0].token.span(), message));
        }
        (false, None) => (Ident::new("result", Span::mixed_site()).into(), "unnamed"),
        (true, None) => (written[0].token.clone(), "number"),
        (true, Some(_)) => (written[0].token.clone(), "result"),
    };
    let typed = &written[usize::from(has_name) * 2 + usize::from(result.is_saved)..];
    let mut extents = TokenStream::new();
    if let Some(shape) = &result.shape {
        let skipped = if shape.at_most { 2 } else { 0 }; // the words
        extents = array(typed)?.1.into_iter().skip(skipped).collect();
    }
    let is_found = result.shape.as_ref().is_some_and(|it| it.at_most);
    let mode = if is_found { "found" } else { "out" };
    // The type of such a result is called like the result: see `@computed`.
    let (dtype, computed): (TokenStream, TokenStream) = match result.dtype {
        Type::Real(_) => (
            name.clone().into(),
            tokens("real")
                .into_iter()
                .chain([typed[2].token.clone()])
                .collect(),
        ),
        _ => (typed[0].token.clone().into(), TokenStream::new()),
    };
    Ok(parameter(name, mode, dtype, extents, computed, place))
}

/// Tokens from this letter on.
fn written(text: &Text, letter: usize) -> &[Placed] {
    let first = text.at(letter).unwrap_or(text.tokens.len() - 1);
    &text.tokens[first..]
}

/// The type of an array, and its extents, which are the first ones behind it.
fn array(written: &[Placed]) -> Result<(TokenTree, TokenStream)> {
    let mut last = &written[0].token;
    for Placed { token, .. } in written {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                return Ok((last.clone(), group.stream()));
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                if last.to_string() != "real" {
                    break;
                }
            }
            _ => last = token,
        }
    }
    Err(Error::new(last.span(), ARRAY))
}

fn parameter(
    name: TokenTree,
    mode: &str,
    dtype: TokenStream,
    extents: TokenStream,
    computed: TokenStream,
    place: &str,
) -> TokenTree {
    let mut parameter: TokenStream = name.into();
    parameter.extend(tokens(mode));
    parameter.extend([
        grouped(Delimiter::Bracket, dtype),
        grouped(Delimiter::Bracket, extents),
        grouped(Delimiter::Parenthesis, computed),
    ]);
    parameter.extend(tokens(place));
    braced(parameter)
}
