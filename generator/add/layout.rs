//! Lines of at most a hundred letters, broken as the formatters of packages break them.

pub const WIDTH: usize = 100;

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

/// C++: a function's head, with `template <…>` on a line of its own if all does not fit into one, and
/// what it returns if that saves a line.
pub fn head(indent: usize, template: &str, head: &str, items: &[String]) -> String {
    let line = aligned(indent, &format!("{template}{head}"), items, " {");
    if !line.contains('\n') {
        return line;
    }
    let mut text = aligned(indent, head, items, " {");
    if let Some((returned, name)) = head.rsplit_once(' ') {
        let inner = aligned(indent, name, items, " {");
        if inner.lines().count() + 1 < text.lines().count() {
            text = format!("{:indent$}{returned}\n{inner}", "");
        }
    }
    match template.trim_end() {
        "" => text,
        template => format!("{:indent$}{template}\n{text}", ""),
    }
}

/// Python and Rust: a call or a list in a line, or with a line for each item, which formatters leave so.
pub fn listed(
    indent: usize,
    start: &str,
    open: &str,
    items: impl IntoIterator<Item = impl AsRef<str>>,
    end: &str,
) -> String {
    let items: Vec<_> = items.into_iter().collect();
    let items: Vec<_> = items.iter().map(AsRef::as_ref).collect();
    let line = format!("{start}{open}{}{end}", items.join(", "));
    if indent + line.len() <= WIDTH && !line.contains('\n') {
        return line;
    }
    let item = |it: &&str| format!("{:1$}{it},\n", "", indent + 4);
    let items: String = items.iter().map(item).collect();
    format!("{start}{open}\n{items}{:indent$}{end}", "")
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
    fn a_list_in_one_line_or_a_line_for_each_item() {
        let text = |last| listed(4, "x = f", "(", items(&[43, last]), ")");
        assert_eq!(lengths(&text(44)), [96]);
        assert_eq!(lengths(&text(45)), [6, 52, 54, 5]);
        let inner = listed(4, "", "[", items(&[60, 60]), "]");
        let x = "x".repeat(60);
        let expected = format!("f(\n    a,\n    [\n        {x},\n        {x},\n    ],\n)");
        assert_eq!(listed(0, "f", "(", ["a", &inner], ")"), expected);
    }
}
