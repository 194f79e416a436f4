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
            text += &format!("\n{:column$}", "");
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

    fn flat(&self) -> String {
        match self {
            Self::Atom(text) => text.clone(),
            Self::Group(open, items, close) => {
                let items: Vec<_> = items.iter().map(Self::flat).collect();
                format!("{open}{}{close}", items.join(", "))
            }
        }
    }

    /// In one line; else its items in one line; else a line each.
    pub fn laid_out(&self, indent: usize, before: &str, after: &str) -> String {
        let flat = self.flat();
        let Self::Group(open, items, close) = self else {
            return format!("{before}{flat}{after}");
        };
        if indent + before.len() + flat.len() + after.len() <= WIDTH {
            return format!("{before}{flat}{after}");
        }
        let inner = indent + 4;
        let all: Vec<_> = items.iter().map(Self::flat).collect();
        let all = all.join(", ");
        let body = match inner + all.len() <= WIDTH && items.len() > 1 {
            true => format!("{:inner$}{all}\n", ""),
            false => {
                let line = |it: &Self| format!("{:inner$}{}\n", "", it.laid_out(inner, "", ","));
                items.iter().map(line).collect()
            }
        };
        format!("{before}{open}\n{body}{:indent$}{close}{after}", "")
    }
}
