//! Who wrote the package.

use std::fmt;
use std::process::Stdio;

use super::name::Name;
use super::raw::RawAnswers;
use super::text;
use crate::error::Result;
use crate::process;

#[derive(Debug, PartialEq, Eq)]
pub struct Identity {
    pub author: String,
    /// Empty when the author gives none.
    pub email: String,
}

impl Identity {
    /// Resolves it from the options, else from git, else to something neutral.
    pub fn resolve(said: &RawAnswers, name: &Name) -> Result<Self> {
        let git = match (&said.author, &said.email) {
            (Some(_), Some(_)) => User::default(),
            _ => user(),
        };
        let author = match &said.author {
            Some(author) => text::author(author)?,
            None => known(git.name, &["USER", "USERNAME"])
                .unwrap_or_else(|| format!("The {name} authors")),
        };
        let email = match &said.email {
            Some(email) => text::email(email)?,
            // git takes anything for an email address, PyPI does not.
            None => git
                .email
                .and_then(|email| text::email(&email).ok())
                .unwrap_or_default(),
        };
        Ok(Self { author, email })
    }

    pub fn new(author: &str, email: &str) -> Self {
        Self {
            author: author.to_owned(),
            email: email.to_owned(),
        }
    }

    /// Reads `Ada Lovelace <ada@example.org>`, or the name alone.
    pub fn parse(line: &str) -> Result<Self> {
        let line = line.trim();
        let parts = line
            .strip_suffix('>')
            .and_then(|line| line.rsplit_once('<'));
        let (author, address) = parts.unwrap_or((line, ""));
        Ok(Self {
            author: text::author(author)?,
            email: text::email(address)?,
        })
    }
}

/// The line that `parse` reads.
impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.email.as_str() {
            "" => f.write_str(&self.author),
            email => write!(f, "{} <{email}>", self.author),
        }
    }
}

/// `user.name` and `user.email`, as far as git is installed and knows them.
#[derive(Default)]
struct User {
    name: Option<String>,
    email: Option<String>,
}

fn user() -> User {
    let mut user = User::default();
    let mut git = process::program("git");
    git.args(["config", "--null", "--get-regexp", r"^user\.(name|email)$"]);
    let Ok(output) = git.stderr(Stdio::null()).output() else {
        return user;
    };
    // Later lines come from more specific files, and win.
    for entry in String::from_utf8_lossy(&output.stdout).split('\0') {
        match entry.split_once('\n') {
            Some(("user.name", value)) => user.name = Some(value.to_owned()),
            Some(("user.email", value)) => user.email = Some(value.to_owned()),
            _ => {}
        }
    }
    user
}

/// The name in git, or the account's.
fn known(git: Option<String>, variables: &[&str]) -> Option<String> {
    let account = variables.iter().filter_map(|key| std::env::var(key).ok());
    git.into_iter()
        .chain(account)
        .find_map(|author| text::author(&author).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> (String, String) {
        let identity = Identity::parse(line).unwrap();
        (identity.author, identity.email)
    }

    #[test]
    fn lines_with_and_without_an_address() {
        let both = ("Ada Lovelace".to_owned(), "ada@example.org".to_owned());
        assert_eq!(parsed("Ada Lovelace <ada@example.org>"), both);
        assert_eq!(parsed("  Ada Lovelace<ada@example.org> "), both);
        assert_eq!(parsed("Ada"), ("Ada".to_owned(), String::new()));
        assert_eq!(parsed("Ada <>"), ("Ada".to_owned(), String::new()));
    }

    #[test]
    fn lines_that_are_no_author() {
        for line in [
            "",
            "<ada@example.org>",
            "Ada <ada>",
            "ada@example.org",
            "A, B",
            "Ada <a@b",
            "Ada a@b>",
        ] {
            assert!(Identity::parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn what_is_shown_is_what_is_read() {
        for line in ["Ada Lovelace <ada@example.org>", "Ada"] {
            assert_eq!(Identity::parse(line).unwrap().to_string(), line);
        }
    }
}
