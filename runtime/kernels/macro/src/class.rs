//! `class!`: a constructor and methods, which are functions that have the state of an object.

use cuvec_declare::read::Known;
use proc_macro::{Delimiter, Ident, TokenStream, TokenTree};

use crate::head::{Class, function, items, parts};
use crate::text::{Result, expected};
use crate::tokens::{braced, grouped, names, tokens};

const FORM: &str = "a class is written as in `Sum(n: usize) state sum: f64[n]; fn add(x: &f64[n]) each sum[i] { sum + x[i] }`";

pub fn class(input: Vec<TokenTree>) -> Result<TokenStream> {
    let mut pieces = split(input).into_iter();
    let first = pieces.next().unwrap_or_default();
    let known = Known {
        other_structs: true,
        ..Known::default()
    };
    let mut constructor = parts(first, &known)?;
    if let Some(result) = constructor.declaration.results.first() {
        let place = constructor.text.at(result.at).unwrap_or_default();
        return Err(expected(Some(&constructor.text.tokens[place].token), FORM));
    }
    let rest: Vec<_> = constructor.rest.into_iter().collect();
    let (state, sizes, rest) = state(rest)?;
    constructor.rest = rest;
    let name = constructor.text.tokens[0].token.clone();
    let of_method = Class {
        name: match &name {
            TokenTree::Ident(name) => Some(name.clone()),
            _ => None,
        },
        variables: constructor.declaration.variables.clone(),
        state: state.clone(),
        sizes,
        methods: Vec::new(),
    };
    let mut methods = Vec::new();
    let mut all = TokenStream::new();
    for piece in pieces {
        let method = method(&piece)?;
        all.extend(tokens("pub mod"));
        all.extend([TokenTree::from(method.clone())]);
        let mut inside = tokens("#[allow(unused_imports)] use super::*;"); // of what the file has, a method may need anything
        inside.extend(function(piece, &of_method)?);
        all.extend([braced(inside)]);
        methods.push(method);
    }
    if methods.is_empty() {
        let message =
            "a class has a method at least: `fn add(x: &f64[n]) each sum[i] { sum + x[i] }`";
        return Err(expected(Some(&name), message));
    }
    let class = Class {
        state,
        methods,
        ..Class::default()
    };
    all.extend(items(&constructor, &class)?);
    Ok(all)
}

/// The constructor and the methods: each ends where the comments of the next, and `fn`, begin.
fn split(input: Vec<TokenTree>) -> Vec<Vec<TokenTree>> {
    let mut pieces = vec![Vec::new()];
    let mut docs = Vec::new();
    let mut input = input.into_iter().peekable();
    while let Some(token) = input.next() {
        let is_doc = matches!(&token, TokenTree::Punct(mark) if mark.as_char() == '#');
        let is_fn = matches!(&token, TokenTree::Ident(word) if word.to_string() == "fn");
        if is_doc {
            docs.push(token);
            docs.extend(input.next());
        } else if is_fn {
            pieces.push(std::mem::take(&mut docs));
        } else if let Some(last) = pieces.last_mut() {
            last.append(&mut docs);
            last.push(token);
        }
    }
    pieces
}

/// The name of a method.
fn method(piece: &[TokenTree]) -> Result<Ident> {
    match piece.iter().find(|it| matches!(it, TokenTree::Ident(_))) {
        Some(TokenTree::Ident(name)) => Ok(name.clone()),
        _ => Err(expected(piece.first(), FORM)),
    }
}

/// The arrays of an object as parameters, the names in their extents, and what follows.
fn state(rest: Vec<TokenTree>) -> Result<(TokenStream, Vec<String>, TokenStream)> {
    let mut rest = rest.into_iter();
    let word = rest.next();
    if word.as_ref().is_none_or(|it| it.to_string() != "state") {
        return Err(expected(word.as_ref(), FORM));
    }
    let (mut state, mut sizes) = (TokenStream::new(), Vec::new());
    loop {
        let [name, colon, dtype, extents, end] = std::array::from_fn(|_| rest.next());
        let is_mark = |it: &Option<TokenTree>, marks: &str| {
            it.as_ref()
                .is_some_and(|it| marks.contains(&it.to_string()))
        };
        let (Some(name), Some(dtype), Some(TokenTree::Group(extents))) = (name, dtype, &extents)
        else {
            return Err(expected(extents.as_ref(), FORM));
        };
        if !is_mark(&colon, ":") || !is_mark(&end, ",;") {
            return Err(expected(end.as_ref(), FORM));
        }
        sizes.extend(names(extents.stream()));
        let mut one: TokenStream = name.into();
        one.extend(tokens("state"));
        one.extend([
            grouped(Delimiter::Bracket, dtype.into()),
            grouped(Delimiter::Bracket, extents.stream()),
        ]);
        one.extend(tokens("() own"));
        state.extend([braced(one)]);
        if is_mark(&end, ";") {
            return Ok((state, sizes, rest.collect()));
        }
    }
}
