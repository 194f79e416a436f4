//! Draws screens of a terminal as one SVG, in which they follow each other.

use std::fmt::Write;

use vt100::{Cell, Color, Screen};

/// Size of a character, in pixels.
const WIDTH: f32 = 8.4;
const HEIGHT: f32 = 18.0;
const MARGIN: f32 = 16.0;

const STYLE: &str = "\
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d8dee9}
.b{font-weight:bold}.d{opacity:.62}
.grey{fill:#8a93a3}.red{fill:#ff7b72}.green{fill:#7ee787}.cyan{fill:#79d4e8}.yellow{fill:#e5c07b}
.cursor{fill:#d8dee9;opacity:.75}
g{visibility:hidden;animation:1s step-end infinite}.still{visibility:visible}
@media (prefers-reduced-motion:reduce){g{animation:none!important}}";

/// A screen, and how long it stays.
pub struct Frame {
    rows: u16,
    columns: u16,
    pub body: String,
    seconds: f32,
}

impl Frame {
    pub fn new(screen: &Screen, seconds: f32) -> Self {
        let (rows, columns) = screen.size();
        let (rows, columns) = (rows.get(), columns.get());
        let mut body = String::new();
        for row in 0..rows {
            draw_row(&mut body, screen, row, columns);
        }
        let (row, column) = screen.cursor_position();
        if !screen.hide_cursor() {
            let (x, y) = (left(column), top(row) + 1.5);
            let _ = writeln!(
                body,
                r#"<rect class="cursor" x="{x:.1}" y="{y:.1}" width="{WIDTH}" height="{HEIGHT}"/>"#
            );
        }
        Self {
            rows,
            columns,
            body,
            seconds,
        }
    }
}

/// The frames one after the other, again and again; `still` is seen where there is no animation.
pub fn svg(frames: &[Frame], still: usize, title: &str) -> String {
    let (width, height) = (
        left(frames[0].columns) + MARGIN,
        top(frames[0].rows) + MARGIN,
    );
    let total: f32 = frames.iter().map(|frame| frame.seconds).sum();
    let mut style = STYLE.to_owned();
    let mut groups = String::new();
    let mut start = 0.0;
    for (n, frame) in frames.iter().enumerate() {
        let (from, to) = (
            100.0 * start / total,
            100.0 * (start + frame.seconds) / total,
        );
        start += frame.seconds;
        let _ = write!(
            style,
            "\n@keyframes k{n}{{0%{{visibility:hidden}}{from:.2}%{{visibility:visible}}{to:.2}%{{visibility:hidden}}100%{{visibility:hidden}}}}"
        );
        let class = if n == still { r#" class="still""# } else { "" };
        let _ = write!(
            groups,
            "<g{class} style=\"animation-name:k{n};animation-duration:{total:.1}s\">\n{}</g>\n",
            frame.body
        );
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"{title}\">\n\
         <title>{title}</title>\n<style>\n{style}\n</style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"10\" fill=\"#161b22\" stroke=\"#3d444d\"/>\n{groups}</svg>\n"
    )
}

/// A text element for each run of characters that look alike.
fn draw_row(body: &mut String, screen: &Screen, row: u16, columns: u16) {
    let mut column = 0;
    while column < columns {
        let start = column;
        let class = classes(cell(screen, row, start));
        let mut text = String::new();
        while column < columns && classes(cell(screen, row, column)) == class {
            let contents = cell(screen, row, column).contents();
            text.push_str(if contents.is_empty() { " " } else { contents });
            column += 1;
        }
        let blanks = text.chars().take_while(|&c| c == ' ').count() as u16;
        draw_text(body, (row, start + blanks), &class, text.trim());
    }
}

fn draw_text(body: &mut String, (row, column): (u16, u16), class: &str, text: &str) {
    if text.is_empty() {
        return;
    }
    let (x, y) = (left(column), top(row) + HEIGHT * 0.8);
    // Whatever the font, the columns stay where they are.
    let length = WIDTH * text.chars().count() as f32;
    let class = match class {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    };
    let _ = writeln!(
        body,
        "<text{class} x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{length:.1}\" lengthAdjust=\"spacingAndGlyphs\">{}</text>",
        escaped(text)
    );
}

fn cell(screen: &Screen, row: u16, column: u16) -> &Cell {
    screen.cell(row, column).unwrap()
}

fn classes(cell: &Cell) -> String {
    let color = match cell.fgcolor() {
        Color::Idx(8) => "grey",
        Color::Idx(1 | 9) => "red",
        Color::Idx(2 | 10) => "green",
        Color::Idx(3 | 11) => "yellow",
        Color::Idx(6 | 14) => "cyan",
        Color::Default => "",
        other => panic!("no colour for {other:?}"),
    };
    let weight = if cell.bold() { "b" } else { "" };
    let dim = if cell.dim() { "d" } else { "" };
    let classes = [color, weight, dim].join(" ");
    classes.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn escaped(text: &str) -> String {
    // Blanks that follow each other would be one.
    text.replace("  ", "\u{a0} ")
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn left(column: u16) -> f32 {
    MARGIN + f32::from(column) * WIDTH
}

fn top(row: u16) -> f32 {
    MARGIN + f32::from(row) * HEIGHT
}
