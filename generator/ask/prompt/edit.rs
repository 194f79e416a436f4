//! A line of text under the keys that shells have for it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

#[derive(Debug, Default)]
pub struct Edit {
    text: Vec<char>,
    /// Characters before the cursor.
    at: usize,
}

impl Edit {
    /// With the cursor at the end.
    pub fn new(text: &str) -> Self {
        let text: Vec<_> = text.chars().collect();
        Self {
            at: text.len(),
            text,
        }
    }

    pub fn text(&self) -> String {
        self.text.iter().collect()
    }

    pub fn before_cursor(&self) -> String {
        self.text[..self.at].iter().collect()
    }

    /// The character that the cursor is on; a blank at the end.
    pub fn at_cursor(&self) -> char {
        self.text.get(self.at).copied().unwrap_or(' ')
    }

    /// Inserts what was pasted, as one line.
    pub fn paste(&mut self, text: &str) {
        for c in text.trim_end_matches(['\r', '\n']).chars() {
            self.insert(if c.is_control() { ' ' } else { c });
        }
    }

    /// Keys that are not for a line do nothing.
    pub fn press(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        match key.code {
            KeyCode::Char(c) if control => self.control(c),
            KeyCode::Char('b') if alt => self.at = self.word_before(),
            KeyCode::Char('f') if alt => self.at = self.word_after(),
            KeyCode::Char('d') if alt => self.delete(self.at, self.word_after()),
            KeyCode::Char(c) if !alt => self.insert(c),
            KeyCode::Backspace if control || alt => self.delete(self.word_before(), self.at),
            KeyCode::Backspace => self.delete(self.at.saturating_sub(1), self.at),
            KeyCode::Delete if control => self.delete(self.at, self.word_after()),
            KeyCode::Delete => self.delete(self.at, self.at + 1),
            KeyCode::Left if control || alt => self.at = self.word_before(),
            KeyCode::Left => self.at = self.at.saturating_sub(1),
            KeyCode::Right if control || alt => self.at = self.word_after(),
            KeyCode::Right => self.at = self.text.len().min(self.at + 1),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = self.text.len(),
            _ => {}
        }
    }

    fn control(&mut self, letter: char) {
        match letter {
            'a' => self.at = 0,
            'e' => self.at = self.text.len(),
            'b' => self.at = self.at.saturating_sub(1),
            'f' => self.at = self.text.len().min(self.at + 1),
            'h' => self.delete(self.at.saturating_sub(1), self.at),
            'd' => self.delete(self.at, self.at + 1),
            'u' => self.delete(0, self.at),
            'k' => self.delete(self.at, self.text.len()),
            'w' => self.delete(self.word_before(), self.at),
            _ => {}
        }
    }

    fn insert(&mut self, c: char) {
        self.text.insert(self.at, c);
        self.at += 1;
    }

    fn delete(&mut self, from: usize, to: usize) {
        self.text.drain(from..to.min(self.text.len()));
        self.at = from;
    }

    fn word_before(&self) -> usize {
        let before = &self.text[..self.at];
        let word = before.iter().rposition(|c| !c.is_whitespace());
        let space = word.and_then(|word| before[..word].iter().rposition(|c| c.is_whitespace()));
        space.map_or(0, |space| space + 1)
    }

    fn word_after(&self) -> usize {
        let after = &self.text[self.at..];
        let word = after.iter().position(|c| !c.is_whitespace());
        let word = word.unwrap_or(after.len());
        let space = after[word..].iter().position(|c| c.is_whitespace());
        self.at + space.map_or(after.len(), |space| word + space)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text with a `|` for the cursor, after keys: `^U` is Ctrl-U, `!b` is Alt-B, `<` and `>` are arrows.
    fn after(text: &str, keys: &[&str]) -> String {
        let mut edit = Edit::new(text);
        for key in keys {
            let (modifiers, key) = match key.as_bytes() {
                [b'^', _, ..] => (KeyModifiers::CONTROL, &key[1..]),
                [b'!', _, ..] => (KeyModifiers::ALT, &key[1..]),
                _ => (KeyModifiers::NONE, *key),
            };
            let code = match key {
                "<" => KeyCode::Left,
                ">" => KeyCode::Right,
                "home" => KeyCode::Home,
                "end" => KeyCode::End,
                "delete" => KeyCode::Delete,
                "backspace" => KeyCode::Backspace,
                key => KeyCode::Char(key.chars().next().unwrap().to_ascii_lowercase()),
            };
            edit.press(KeyEvent::new(code, modifiers));
        }
        let before = edit.before_cursor();
        format!("{before}|{}", &edit.text()[before.len()..])
    }

    #[test]
    fn keys_of_shells() {
        let cases = [
            ("", &["a", "é"][..], "aé|"),
            ("one two", &["^U"], "|"),
            ("one two", &["<", "^U"], "|o"),
            ("one two", &["^W"], "one |"),
            ("one two  ", &["^W", "^W", "^W"], "|"),
            ("one two", &["^A", "x"], "x|one two"),
            ("one two", &["^A", "^E", "x"], "one twox|"),
            ("one two", &["^A", "^K"], "|"),
            ("one two", &["^Z", "^T", "^G"], "one two|"),
            ("one two", &["^<", "x"], "one x|two"),
            ("one two", &["^A", "^>", "x"], "onex| two"),
            ("ab", &["^H", "^H", "^H"], "|"),
            ("ab", &["<", "<", "<", "^D", "delete", "delete", ">"], "|"),
            ("ab", &["^B", "^F", "^F", "c"], "abc|"),
            ("ab", &["^B", "c"], "ac|b"),
            ("ab", &["^A", "^D"], "|b"),
            ("ab", &["home", "c"], "c|ab"),
            ("ab", &["home", "end", "c"], "abc|"),
            ("ab", &["home", ">", "c"], "ac|b"),
            ("ab", &["!c", "b", "f", "d"], "abbfd|"),
            ("one two", &["!b", "x"], "one x|two"),
            ("one two", &["!<", "x"], "one x|two"),
            ("one two", &["home", "!f", "x"], "onex| two"),
            ("one two", &["home", "^>", "^>", "x"], "one twox|"),
            ("one two", &["home", "!d"], "| two"),
            ("one two", &["home", "^delete"], "| two"),
            ("one two", &["home", "delete"], "|ne two"),
            ("one two", &["backspace"], "one tw|"),
            ("one two", &["^backspace"], "one |"),
            ("one two", &["!backspace"], "one |"),
        ];
        for (text, keys, expected) in cases {
            assert_eq!(after(text, keys), expected, "{text} {keys:?}");
        }
    }

    #[test]
    fn what_is_pasted_is_one_line() {
        let mut edit = Edit::new("a");
        edit.paste("b\nc\u{1b}d\r\n");
        assert_eq!(edit.text(), "ab c d");
    }
}
