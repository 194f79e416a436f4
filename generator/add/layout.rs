//! Lines of at most a hundred letters, broken as the formatters of packages break them.

const WIDTH: usize = 100;

/// C++: `head(a, b)tail`, with what does not fit aligned behind the parenthesis.
pub fn aligned(indent: usize, head: &str, items: &[String], tail: &str) -> String {
    let start = format!("{:indent$}{head}(", "");
    let column = start.len();
    let mut text = start;
    let mut width = column;
    for (number, item) in items.iter().enumerate() {
        let last = number + 1 == items.len();
        let end = if last { tail.len() + 1 } else { 1 };
        if number > 0 && width + 1 + item.len() + end > WIDTH {
            text += &format!("\n{}", " ".repeat(column));
            width = column;
        } else if number > 0 {
            text.push(' ');
            width += 1;
        }
        text += item;
        width += item.len() + 1;
        if !last {
            text.push(',');
        }
    }
    text + ")" + tail
}

/// C++: an enum in a line, or with a line for each enumerator.
pub fn enumeration(name: &str, enumerators: &[String]) -> String {
    let start = format!("enum class {name} {{");
    let line = format!("{start} {} }};\n", enumerators.join(", "));
    match line.len() <= WIDTH + 1 {
        true => line,
        false => format!("{start}\n  {}\n}};\n", enumerators.join(",\n  ")),
    }
}

/// C++: a call, which is broken behind the parenthesis where that saves a line.
pub fn call(indent: usize, head: &str, items: &[String], tail: &str) -> String {
    let text = aligned(indent, head, items, tail);
    // Without a name, so that the items begin where the line does.
    let inner = aligned(indent + 3, "", items, tail).replacen('(', " ", 1);
    match inner.lines().count() + 1 < text.lines().count() {
        true => format!("{:indent$}{head}(\n{inner}", ""),
        false => text,
    }
}

/// C++: a function's head, with its `template <…>` on a line of its own if all does not fit into one.
pub fn head(indent: usize, template: &str, head: &str, items: &[String]) -> String {
    let whole = format!("{template}{head}");
    let text = aligned(indent, &whole, items, " {");
    match text.contains('\n') && !template.is_empty() {
        true => format!(
            "{:indent$}{}\n{}",
            "",
            template.trim_end(),
            aligned(indent, head, items, " {")
        ),
        false => text,
    }
}

/// Python: something, or a list in brackets.
pub enum Python {
    Atom(String),
    /// In brackets, with a line for each term.
    Sum(Vec<String>),
    /// A parameter and its default.
    Named(String, Box<Python>),
    Group(&'static str, Vec<Python>, &'static str),
}

impl Python {
    pub fn atom(text: impl Into<String>) -> Self {
        Self::Atom(text.into())
    }

    pub fn atoms<T: Into<String>>(
        open: &'static str,
        items: impl IntoIterator<Item = T>,
        close: &'static str,
    ) -> Self {
        Self::Group(open, items.into_iter().map(Self::atom).collect(), close)
    }

    pub fn flat(&self) -> String {
        match self {
            Self::Atom(text) => text.clone(),
            Self::Sum(terms) => terms.join(" + "),
            Self::Named(name, value) => format!("{name}={}", value.flat()),
            Self::Group(open, items, close) => {
                let items: Vec<_> = items.iter().map(Self::flat).collect();
                format!("{open}{}{close}", items.join(", "))
            }
        }
    }

    /// In one line; else the arguments of a call in one line; else a line each.
    pub fn laid_out(&self, indent: usize, before: &str, after: &str) -> String {
        if let Self::Named(name, value) = self {
            return value.laid_out(indent, &format!("{before}{name}="), after);
        }
        let flat = self.flat();
        if let Self::Sum(terms) = self
            && indent + before.len() + flat.len() + after.len() > WIDTH
        {
            let terms = terms.join(&format!("\n{:indent$}+ ", ""));
            return format!("{before}{terms}{after}");
        }
        let Self::Group(open, items, close) = self else {
            return format!("{before}{flat}{after}");
        };
        if indent + before.len() + flat.len() + after.len() <= WIDTH {
            return format!("{before}{flat}{after}");
        }
        let is_call = open.len() > 1 || before.ends_with(|it: char| it.is_alphanumeric());
        let inner = indent + 4;
        let all: Vec<_> = items.iter().map(Self::flat).collect();
        let all = all.join(", ");
        let body = match is_call && inner + all.len() <= WIDTH && items.len() > 1 {
            true => format!("{:inner$}{all}\n", ""),
            false => {
                let line = |it: &Self| format!("{:inner$}{}\n", "", it.laid_out(inner, "", ","));
                items.iter().map(line).collect()
            }
        };
        format!("{before}{open}\n{body}{:indent$}{close}{after}", "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(lengths: &[usize]) -> Vec<String> {
        lengths.iter().map(|it| "x".repeat(*it)).collect()
    }

    fn lengths(text: &str) -> Vec<usize> {
        text.lines().map(str::len).collect()
    }

    #[test]
    fn a_hundred_letters_are_a_line() {
        let cases = [
            (&[41, 51][..], &[100][..]),
            (&[41, 52], &[46, 58]),
            (&[45, 48, 10], &[100, 16]),
            (&[45, 49, 10], &[50, 67]),
            (&[60, 60, 32], &[65, 100]),
            (&[60, 60, 33], &[65, 65, 39]),
            (&[200], &[206]),
        ];
        for (of_items, expected) in cases {
            let text = aligned(2, "f", &items(of_items), ";");
            assert_eq!(lengths(&text), expected, "{text}");
            let column = |line: &str| line.len() - line.trim_start().len();
            assert!(text.lines().skip(1).all(|it| column(it) == 4), "{text}");
        }
        assert_eq!(aligned(0, "f", &[], ";"), "f();");
    }

    #[test]
    fn a_call_is_broken_behind_the_parenthesis_where_that_saves_a_line() {
        let long = "f".repeat(60);
        let saves = call(4, &long, &items(&[25, 25, 25]), ";");
        let x = "x".repeat(25);
        assert_eq!(saves, format!("    {long}(\n        {x}, {x}, {x});"));
        assert_eq!(
            lengths(&call(4, &long, &items(&[28, 29, 29]), ";")),
            [65, 100]
        );
        let none = call(4, &long, &items(&[28, 29, 30]), ";");
        assert_eq!(lengths(&none), [94, 95, 97]);
        assert_eq!(lengths(&call(4, &long, &items(&[30, 30]), ";")), [96, 97]);
    }

    #[test]
    fn a_template_gets_a_line_of_its_own_where_all_does_not_fit() {
        let (template, start) = ("template <class T> ", "static void f");
        assert_eq!(lengths(&head(2, template, start, &items(&[30, 30]))), [100]);
        let text = head(2, template, start, &items(&[30, 31]));
        assert!(
            text.starts_with("  template <class T>\n  static void f(x"),
            "{text}"
        );
        assert_eq!(lengths(&text), [20, 82]);
        let text = head(2, "", start, &items(&[50, 50]));
        assert!(text.starts_with("  static void f(x"), "{text}");
        assert_eq!(lengths(&text), [67, 69]);
    }

    #[test]
    fn python_in_one_line_or_its_items_in_one_or_a_line_each() {
        let cases = [
            (&[43, 44][..], &[100][..]),
            (&[43, 45], &[10, 98, 5]),
            (&[45, 45], &[10, 100, 5]),
            (&[45, 46], &[10, 54, 55, 5]),
            (&[90], &[10, 99, 5]),
        ];
        for (of_items, expected) in cases {
            let list = Python::atoms("(", items(of_items), ")");
            let text = list.laid_out(4, "x = f", "");
            // The indent of the first line is its caller's.
            let mut found = lengths(&text);
            found[0] += 4;
            assert_eq!(found, expected, "{text}");
        }
        let tuple = Python::atoms("(", items(&[43, 45]), ")");
        assert_eq!(tuple.laid_out(4, "return ", "").lines().count(), 4);
        let list = |last| Python::atoms("(", items(&[43, last]), ")");
        assert_eq!(lengths(&list(43).laid_out(4, "x = f", ":")), [96]);
        assert_eq!(list(44).laid_out(4, "x = f", ":").lines().count(), 3);
        let inner = Python::Group(
            "[",
            items(&[60, 60]).into_iter().map(Python::atom).collect(),
            "]",
        );
        let outer = Python::Group("(", vec![Python::atom("a"), inner], ")");
        let x = "x".repeat(60);
        let expected = format!("f(\n    a,\n    [\n        {x},\n        {x},\n    ],\n)");
        assert_eq!(outer.laid_out(0, "f", ""), expected);
    }
}
