//! The colours and marks of a question.

use anstyle::{AnsiColor, Style};
use inquire::ui::{Attributes, Color, RenderConfig, StyleSheet, Styled};

use crate::tell::styled;

/// Stands in place of the answer when the user goes back.
pub const BACK: &str = "back";

pub fn look(color: bool) -> RenderConfig<'static> {
    let config = match color {
        true => RenderConfig {
            prompt: StyleSheet::new().with_attr(Attributes::BOLD),
            help_message: StyleSheet::new().with_fg(Color::DarkGrey),
            ..RenderConfig::default_colored()
        },
        false => RenderConfig::empty(),
    };
    RenderConfig {
        answered_prompt_prefix: Styled::new("✓").with_style_sheet(config.prompt_prefix.style),
        canceled_prompt_indicator: Styled::new(BACK),
        ..config
    }
}

/// The same colours for questions that are not drawn by `inquire`.
#[derive(Clone, Copy)]
pub struct Colors(pub bool);

impl Colors {
    pub fn question(self, mark: &str, message: &str) -> [String; 2] {
        let green = AnsiColor::BrightGreen.on_default();
        [
            self.style(green, mark),
            self.style(Style::new().bold(), message),
        ]
    }

    pub fn answer(self, answer: &str) -> String {
        self.style(AnsiColor::BrightCyan.on_default(), answer)
    }

    /// The mark of the row that is chosen.
    pub fn marked(self, mark: &str) -> String {
        self.answer(mark)
    }

    pub fn dim(self, text: &str) -> String {
        self.style(AnsiColor::BrightBlack.on_default(), text)
    }

    pub fn style(self, style: Style, text: &str) -> String {
        match self.0 {
            true => styled(style, text),
            false => text.to_owned(),
        }
    }
}
