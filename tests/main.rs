//! Tests of the `cuvec-new` command, a module per subject.

// They use signals, symbolic links and shell scripts.
#![cfg(unix)]

mod add;
mod all_or_nothing;
mod combinations;
mod commands;
mod destination;
mod doctor;
mod export;
mod foreign_templates;
mod git;
mod halves;
mod hostile;
mod killed;
mod layers;
mod manifests;
mod modules;
mod options;
mod over_another;
mod package;
mod picture;
mod printing;
mod project;
mod prompts;
mod properties;
mod rows;
mod shell_help;
mod svg;
mod terminal;
mod trial;
mod unprompted;
mod update;
mod user_text;
