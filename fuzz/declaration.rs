//! Any text as a declaration: it is read, checked, and written so that it reads the same, or a fault is at a place of it.
//!
//! `cargo +nightly fuzz run declaration`
#![no_main]

use cuvec_declare::read::Known;
use cuvec_declare::signature::words;
use cuvec_declare::{check, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let declared = read::declaration(text, &[]);
    let checked = declared.and_then(|it| {
        check(&it, &Known::default(), &(i64::MIN..=i64::MAX))?;
        Ok(words(&it, 0).join(" "))
    });
    match checked {
        Ok(line) => {
            let again = read::declaration(&line, &[]);
            let again = again.unwrap_or_else(|it| panic!("{line}: {}", it.problem));
            assert_eq!(words(&again, 0).join(" "), line);
        }
        Err(fault) => {
            assert!(fault.at <= text.chars().count(), "{}", fault.problem);
            assert!(!fault.problem.is_empty() && !fault.hint.is_empty());
        }
    }
});
