//! Random declarations: those that are accepted are read again, in the notation of each language, as they are written in the file.

use cuvec_declare::dtype::DTYPES;
use cuvec_declare::read::{Known, whole};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::declaration::Declaration;
use super::{LANGUAGES, rust, signature::signature};
use crate::args::Add;

const CASES: usize = 10_000;

/// Names that are good, and those that some language or the runtime has.
const WORDS: [&str; 24] = [
    "x",
    "y",
    "a1",
    "n",
    "norm",
    "erfc",
    "max",
    "index",
    "linux",
    "errno",
    "None",
    "class",
    "lambda",
    "In",
    "T",
    "N",
    "int64",
    "size_t",
    "float4",
    "torch",
    "out",
    "f_y",
    "a234567890123456789012345678901",
    "a2345678901234567890123456789012",
];

const VARIABLES: [&str; 5] = [
    "",
    "<T: float32>",
    "<T: bool, int8, uint64, float16, complex64>",
    "<T: float32, float64, I: int8, int64>",
    "<int8>",
];

const NUMBERS: [&str; 23] = [
    "0",
    "1",
    "-1",
    "127",
    "128",
    "-129",
    "65504",
    "65520",
    "2.5",
    "1e3",
    "1e-3",
    "6.62607015e-34",
    "1e308",
    "1e309",
    "007",
    "True",
    "False",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "1/3",
    "-(2*pi - e)",
    "2*3 - 5",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        9 => "[a-z][a-z0-9_]{0,8}",
        1 => select(&WORDS[..]).prop_map(str::to_owned),
    ]
}

fn size() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        8 => select(&["n", "m", "n", "m", "bins", "3", "0"][..]).prop_map(str::to_owned),
        1 => word(),
        1 => "[0-9]{1,21}",
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        let of_two = (
            inner.clone(),
            select(&["+", "-", "*", " / "][..]),
            inner.clone(),
        );
        prop_oneof![
            of_two.prop_map(|(left, sign, right)| format!("{left}{sign}{right}")),
            inner.prop_map(|it| format!("({it})")),
        ]
    })
}

fn dtype() -> impl Strategy<Value = String> {
    let names: Vec<_> = DTYPES
        .iter()
        .map(|it| it.numpy)
        .chain(["T", "T", "T", "I"])
        .collect();
    select(names).prop_map(str::to_owned)
}

fn shape() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => vec(size(), 0..4).prop_map(|it| it.join(",")),
        1 => Just("...".to_owned()),
    ]
}

fn choice() -> impl Strategy<Value = String> {
    let text = prop_oneof![4 => Just("one".to_owned()), 4 => Just("two".to_owned()), 1 => word()];
    let quote = prop_oneof![4 => Just("'"), 1 => Just("\"")];
    (quote, text).prop_map(|(quote, text)| format!("{quote}{text}{quote}"))
}

/// One of few texts, or so many numbers, with a default of the same kind, `None`, or without.
fn option() -> impl Strategy<Value = String> {
    let choices = (vec(choice(), 0..3), choice());
    let choices = choices.prop_map(|(all, one)| (format!("{{{}}}", all.join(", ")), one));
    let tuples = [
        ("1", "(1)"),
        ("1", "(0,)"),
        ("2", "(True, 1)"),
        ("2", "(1, 2.5,)"),
        ("3", "(0, 1, 1)"),
        ("3", "(1, 1)"),
        ("64", "1"),
        ("65", "()"),
    ];
    let tuple = (dtype(), select(tuples.to_vec()));
    let tuple =
        tuple.prop_map(|(dtype, (count, items))| (format!("{dtype}[{count}]"), items.to_owned()));
    let kind = prop_oneof![choices, tuple];
    let default = prop_oneof![4 => Just(None), 4 => Just(Some(true)), 1 => Just(Some(false))];
    (word(), kind, default).prop_map(|(name, (kind, own), default)| match default {
        None => format!("{name}: {kind}"),
        Some(true) => format!("{name}: {kind} = {own}"),
        Some(false) => format!("{name}: {kind} = None"),
    })
}

fn argument() -> impl Strategy<Value = String> {
    let direction = select(&["", "", "inout ", "out "][..]);
    let layout = select(&["", "", "", "", " strided", " rows"][..]);
    let optional = select(&["", "", "", "", "?", "? = None", " = None"][..]);
    let array = (word(), direction, dtype(), shape(), layout, optional);
    let array = array.prop_map(|(name, direction, dtype, shape, layout, optional)| {
        format!("{name}: {direction}{dtype}({shape}){layout}{optional}")
    });
    let number = (word(), dtype()).prop_map(|(name, dtype)| format!("{name}: {dtype}"));
    let default = (word(), dtype(), select(&NUMBERS[..]));
    let default = default.prop_map(|(name, dtype, number)| format!("{name}: {dtype} = {number}"));
    let by_name = Just("*, k: bool = True".to_owned());
    prop_oneof![5 => array, 3 => number, 2 => default, 2 => option(), 1 => by_name]
}

fn result() -> impl Strategy<Value = String> {
    let name = prop_oneof![Just(String::new()), word().prop_map(|it| format!("{it}: "))];
    let shape = prop_oneof![
        Just(String::new()),
        shape().prop_map(|it| format!("({it})"))
    ];
    let saved = select(&["", "", "", "saved "][..]);
    let parts = (name, saved, dtype(), shape);
    parts.prop_map(|(name, saved, dtype, shape)| format!("{name}{saved}{dtype}{shape}"))
}

/// One that often is a declaration: `x` gives the sizes, and the dtypes of variables.
fn text() -> impl Strategy<Value = String> {
    let parts = (
        word(),
        select(&VARIABLES[..]),
        vec(argument(), 0..4),
        vec(result(), 0..3),
    );
    parts.prop_map(|(name, variables, arguments, results)| {
        let given = match variables.split(&['<', ':'][..]).nth(1) {
            Some("T") if variables.contains("I:") => "x_: T(n,m), i_: I(n), bins: int64",
            Some("T") => "x_: T(n,m), bins: int64",
            _ => "x_: float32(n,m), bins: int64",
        };
        let arguments = [&[given.to_owned()], &arguments[..]].concat().join(", ");
        let arrow = if results.is_empty() { "" } else { " -> " };
        format!(
            "{name}{variables}({arguments}){arrow}{}",
            results.join(", ")
        )
    })
}

fn read(text: &str) -> Option<Declaration> {
    let request = Add {
        function: text.to_owned(),
        ..Add::default()
    };
    super::declaration(&request, &LANGUAGES[0], &[]).ok()
}

#[test]
fn what_is_accepted_is_read_by_the_runtime() {
    let mut runner = TestRunner::deterministic();
    let (mut accepted, mut lines) = (0, String::new());
    for _ in 0..CASES {
        let text = text().new_tree(&mut runner).unwrap().current();
        let Some(declaration) = read(&text) else {
            continue;
        };
        accepted += 1;
        let line = signature(&declaration).join(" ");
        let again = read(&line).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(signature(&again).join(" "), line, "{text}");
        let in_rust = rust::head(&declaration);
        let again = read(&in_rust).unwrap_or_else(|| panic!("{line} as {in_rust}"));
        assert_eq!(rust::head(&again), in_rust, "{line}");
        for language in LANGUAGES {
            let source = (language.source)(&declaration).unwrap();
            assert!(source.contains(&declaration.name));
        }
        lines += &format!("{line}\n");
    }
    assert!(
        (CASES / 10..CASES * 9 / 10).contains(&accepted),
        "{accepted}"
    );
    for mark in [")?", "? = None", "{'one'}", "[64]", "(1, 2.5)", "(0,)"] {
        assert!(lines.contains(mark), "{mark}");
    }
    let in_cpp = Known {
        is_cpp: true,
        ..Known::default()
    };
    for line in lines.lines() {
        assert!(whole(line, &in_cpp).is_ok(), "{line}");
    }
}
