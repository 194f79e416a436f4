//! Tests of the `cuvec-new` command, a module per subject.

// They use signals, symbolic links and shell scripts.
#![cfg(unix)]

mod add;
mod adopt;
mod all_or_nothing;
mod archive;
mod combinations;
mod commands;
mod config;
mod destination;
mod docs;
mod doctor;
mod export;
mod foreign_packages;
mod foreign_templates;
mod git;
mod killed;
mod layers;
mod manifests;
mod missing_tools;
mod modules;
mod non_interactive;
mod options;
mod over_another;
mod package;
mod package_files;
mod picture;
mod printing;
mod project;
mod prompts;
mod properties;
mod shell_help;
mod svg;
mod terminal;
mod terminal_width;
mod trial;
mod update;
mod user_text;
mod workspaces;
