//! Tokens as a text, in which each has its place.

use cuvec_declare::Fault;
use cuvec_declare::read::EXAMPLE;
use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// The example that hints have, in the notation of Rust.
const IN_RUST: &str = "such as `gemv<T: f32 | f64>(a: &T[m, n], x: &T[n], *, beta: T = 0.0) -> y: T[m]`, whose sizes are \
                       made of names, whole numbers, + - * / and parentheses";

/// An error at a token.
pub struct Error {
    span: Span,
    message: String,
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { span, message }
    }

    /// `compile_error!` at the place.
    pub fn tokens(self) -> TokenStream {
        let mut message = Literal::string(&self.message);
        message.set_span(self.span);
        let body = Group::new(Delimiter::Brace, TokenTree::from(message).into());
        let tokens: [TokenTree; 8] = [
            Punct::new(':', Spacing::Joint).into(),
            Punct::new(':', Spacing::Alone).into(),
            Ident::new("core", self.span).into(),
            Punct::new(':', Spacing::Joint).into(),
            Punct::new(':', Spacing::Alone).into(),
            Ident::new("compile_error", self.span).into(),
            Punct::new('!', Spacing::Alone).into(),
            body.into(),
        ];
        let placed = tokens.into_iter().map(|mut it| {
            it.set_span(self.span);
            it
        });
        placed.collect()
    }
}

/// A token, and where it begins.
pub struct Placed {
    pub start: usize,
    pub token: TokenTree,
}

/// The text of tokens.
#[derive(Default)]
pub struct Text {
    pub text: String,
    letters: usize,
    /// Every token, those in groups behind the group that they are in.
    pub tokens: Vec<Placed>,
    /// Spans of letters: the first of each token, or mark of a group.
    spans: Vec<(usize, Span)>,
}

impl Text {
    pub fn push(&mut self, token: &TokenTree) {
        if let TokenTree::Group(group) = token {
            return self.push_group(group);
        }
        let is_mark = matches!(token, TokenTree::Punct(_));
        if !is_mark
            && self
                .text
                .ends_with(|it: char| it.is_alphanumeric() || it == '_')
        {
            self.write(" ", token.span());
        }
        let start = self.letters;
        self.write(&token.to_string(), token.span());
        self.tokens.push(Placed {
            start,
            token: token.clone(),
        });
    }

    fn push_group(&mut self, group: &Group) {
        let marks = match group.delimiter() {
            Delimiter::Parenthesis => ["(", ")"],
            Delimiter::Brace => ["{", "}"],
            Delimiter::Bracket => ["[", "]"],
            Delimiter::None => ["", ""],
        };
        let (start, place) = (self.letters, self.tokens.len());
        self.write(marks[0], group.span_open());
        for token in group.stream() {
            self.push(&token);
        }
        self.write(marks[1], group.span_close());
        let placed = Placed {
            start,
            token: TokenTree::Group(group.clone()),
        };
        self.tokens.insert(place, placed);
    }

    fn write(&mut self, text: &str, span: Span) {
        self.spans.push((self.letters, span));
        self.letters += text.chars().count();
        self.text += text;
    }

    /// The place behind the last letter.
    pub fn end(&self) -> usize {
        self.letters
    }

    /// The token that begins at this letter.
    pub fn at(&self, letter: usize) -> Option<usize> {
        self.tokens.iter().position(|it| it.start == letter)
    }

    /// The fault at the token that has its place.
    pub fn error(&self, fault: &Fault) -> Error {
        let before = self.spans.iter().rev().find(|(it, _)| *it <= fault.at);
        let span = before.map_or_else(Span::call_site, |(_, span)| *span);
        let hint = if fault.hint == EXAMPLE {
            IN_RUST
        } else {
            &fault.hint
        };
        Error::new(span, format!("{}; {hint}", fault.problem))
    }
}

/// An error at a token, or at the end.
pub fn expected(token: Option<&TokenTree>, message: &str) -> Error {
    Error::new(token.map_or_else(Span::call_site, TokenTree::span), message)
}
