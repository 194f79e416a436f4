//! The head of a declaration, and what is made of it.

use cuvec_declare::declaration::{Kind, Variable};
use cuvec_declare::literal::{INTEGERS, Literal as Number};
use cuvec_declare::read::{Known, head};
use cuvec_declare::signature::words;
use cuvec_declare::{Declaration, Fault, check};
use proc_macro::{Delimiter, Ident, TokenStream, TokenTree};

use crate::parameters::{parameters, results};
use crate::text::{Result, Text};
use crate::tokens::{braced, grouped, tokens};

/// The class of a function: empty, unless it is a constructor or a method.
#[derive(Default)]
pub struct Class {
    /// Name of the class that a method belongs to, and the dtype variables that it has from there.
    pub name: Option<Ident>,
    pub variables: Vec<Variable>,
    /// State of an object, which a constructor makes.
    pub state: TokenStream,
    /// Names in the extents of the state.
    pub sizes: Vec<String>,
    /// Methods, of a constructor.
    pub methods: Vec<Ident>,
}

/// The tokens of a declaration: comments, its head, and the rest.
pub struct Parts {
    pub docs: TokenStream,
    pub text: Text,
    pub declaration: Declaration,
    pub rest: TokenStream,
}

pub fn parts(tokens: Vec<TokenTree>, known: &Known) -> Result<Parts> {
    let (docs, tokens) = without_docs(tokens);
    let mut text = Text::default();
    let mut ends = Vec::new();
    let is_body = |it: &TokenTree| match it {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(mark) => mark.as_char() == ';',
        _ => false,
    };
    for token in tokens.iter().take_while(|it| !is_body(it)) {
        text.push(token);
        ends.push(text.end());
    }
    let read = head(&text.text, known).and_then(|(declaration, end)| {
        check(&declaration, known, &INTEGERS)?;
        no_rounded_quotient(&declaration)?;
        Ok((declaration, end))
    });
    let (declaration, end) = read.map_err(|it| text.error(&it))?;
    let first = ends.iter().position(|it| *it > end).unwrap_or(ends.len());
    Ok(Parts {
        docs,
        text,
        declaration,
        rest: tokens.into_iter().skip(first).collect(),
    })
}

/// The comments before a declaration, as literals, and what follows.
fn without_docs(tokens: Vec<TokenTree>) -> (TokenStream, Vec<TokenTree>) {
    let (mut docs, mut tokens) = (TokenStream::new(), tokens.into_iter().peekable());
    while let Some(TokenTree::Punct(mark)) = tokens.peek()
        && mark.as_char() == '#'
    {
        tokens.next();
        if let Some(TokenTree::Group(doc)) = tokens.next() {
            docs.extend(doc.stream().into_iter().nth(2)); // behind `doc =`
        }
    }
    (docs, tokens.collect())
}

/// Rust would round it, and a declaration does not.
fn no_rounded_quotient(declaration: &Declaration) -> std::result::Result<(), Fault> {
    let defaults = declaration
        .arguments
        .iter()
        .filter_map(|it| it.default.as_ref());
    let is_rounded = |it: &&Number| {
        it.text.contains('/') && !it.text.contains(|it: char| it == '.' || it.is_alphabetic())
    };
    match defaults.flat_map(|it| it.numbers()).find(is_rounded) {
        Some(number) => Err(Fault::new(
            number.at,
            "`/` rounds the quotient of integers",
            "write `1.0 / 3.0`",
        )),
        None => Ok(()),
    }
}

/// The items that a declaration is.
pub fn function(tokens: Vec<TokenTree>, class: &Class) -> Result<TokenStream> {
    let known = Known {
        other_structs: true,
        variables: &class.variables,
        sizes: &class.sizes,
        ..Known::default()
    };
    let parts = parts(tokens, &known)?;
    items(&parts, class)
}

pub fn items(parts: &Parts, class: &Class) -> Result<TokenStream> {
    let Parts {
        docs,
        text,
        declaration,
        rest,
    } = parts;
    let parameters = parameters(declaration, text)?;
    let results = results(declaration, text)?;
    let mut items = TokenStream::new();
    for argument in &declaration.arguments {
        if let Kind::Option(choices) = &argument.kind {
            let choices: Vec<_> = choices.iter().map(|it| &*it.text).collect();
            let call = format!(
                "::cuvec_kernels::__option! {{ {} {} }}",
                argument.name,
                choices.join(" ")
            );
            items.extend(tokens(&call));
        }
    }
    let name = text.tokens[0].token.clone();
    let is_method = class.name.is_some();
    let inherited = class
        .variables
        .iter()
        .map(|it| &*it.name)
        .collect::<Vec<_>>()
        .join(" ");
    let of_class: TokenStream = class
        .name
        .iter()
        .cloned()
        .map(TokenTree::from)
        .chain(tokens(&inherited))
        .collect();
    let none = TokenStream::new;
    let [state, made] = match is_method {
        true => [class.state.clone(), none()],
        false => [none(), class.state.clone()],
    };
    let row = row(declaration, docs.clone(), class.variables.len());
    let methods = class.methods.iter().cloned().map(TokenTree::from).collect();
    let belongs = [row, of_class, state, made, methods].map(|it| grouped(Delimiter::Bracket, it));
    let variables = declaration.variables.iter().map(|it| {
        let dtypes: Vec<_> = it.dtypes.iter().map(|it| it.rust()).collect();
        format!("{{{} [{}]}} ", it.name, dtypes.join(" "))
    });
    let variables = tokens(&variables.collect::<String>());
    let head = [
        braced(belongs.into_iter().collect()),
        name,
        grouped(Delimiter::Bracket, variables),
    ];
    let mut arguments = tokens("@derivative");
    arguments.extend([
        braced(head.into_iter().collect()),
        grouped(Delimiter::Bracket, none()),
        grouped(Delimiter::Bracket, parameters),
        grouped(Delimiter::Bracket, results),
        grouped(Delimiter::Parenthesis, rest.clone()),
    ]);
    items.extend(tokens("::cuvec_kernels::__read!"));
    items.extend([braced(arguments)]);
    Ok(items)
}

/// Documentation, signature and structs, each in brackets, as `__row!` takes them. The declaration is one of a method if
/// there are inherited variables.
fn row(declaration: &Declaration, docs: TokenStream, inherited: usize) -> TokenStream {
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
