//! Any text as a declaration: it is read and checked, or a fault is at a place of it.
//!
//! `cargo +nightly fuzz run declaration`
#![no_main]

use cuvec_declare::read::Known;
use cuvec_declare::{check, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let declared = read::declaration(text, &[]);
    let fault = declared.and_then(|it| check(&it, &Known::default(), &(i64::MIN..=i64::MAX)));
    if let Err(fault) = fault {
        assert!(fault.at <= text.chars().count(), "{}", fault.problem);
        assert!(!fault.problem.is_empty() && !fault.hint.is_empty());
    }
});
