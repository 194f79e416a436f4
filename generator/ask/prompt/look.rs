//! The colours and marks of a question.

use inquire::ui::{Attributes, Color, RenderConfig, StyleSheet, Styled};

/// Stands in place of the answer when the user goes back.
pub const BACK: &str = "back";

pub fn look(color: bool) -> RenderConfig<'static> {
    let config = match color {
        true => RenderConfig {
            prompt: StyleSheet::new().with_attr(Attributes::BOLD),
            help_message: StyleSheet::new().with_fg(Color::DarkGrey),
            default_value: StyleSheet::new().with_fg(Color::DarkGrey),
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
