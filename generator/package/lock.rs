//! `Cargo.lock`: Cargo wants its packages sorted by name, and the name of the user's crate is anywhere in the alphabet.

const HEADER: &str = "[[package]]";

/// Whether a file of the package is a Cargo lock file.
pub fn is_lock(path: &str) -> bool {
    path.rsplit('/').next() == Some("Cargo.lock")
}

/// Names of the packages in a lock file.
pub fn packages(lock: &str) -> impl Iterator<Item = &str> {
    lock.split(HEADER).skip(1).filter_map(name)
}

/// Sorts the `[[package]]` blocks by name; packages of one name keep their order.
pub fn sorted(lock: &str) -> String {
    let (head, blocks) = match lock.find(HEADER) {
        Some(start) => lock.split_at(start),
        None => (lock, ""),
    };
    let mut blocks: Vec<_> = blocks.split(HEADER).skip(1).map(str::trim).collect();
    blocks.sort_by_key(|block| name(block));

    let blocks = blocks.iter().map(|block| format!("{HEADER}\n{block}\n"));
    let blocks = blocks.collect::<Vec<_>>().join("\n");
    format!("{head}{blocks}")
}

fn name(block: &str) -> Option<&str> {
    let line = block
        .lines()
        .find_map(|line| line.strip_prefix("name = "))?;
    Some(line.trim().trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = "\
# made by cargo
version = 4

[[package]]
name = \"zeta\"
version = \"1.0.0\"
dependencies = [
 \"alpha\",
]

[[package]]
name = \"alpha\"
version = \"1.0.0\"

[[package]]
name = \"alpha\"
version = \"2.0.0\"
";

    #[test]
    fn sorts_packages_and_keeps_everything_else() {
        let expected = "\
# made by cargo
version = 4

[[package]]
name = \"alpha\"
version = \"1.0.0\"

[[package]]
name = \"alpha\"
version = \"2.0.0\"

[[package]]
name = \"zeta\"
version = \"1.0.0\"
dependencies = [
 \"alpha\",
]
";
        assert_eq!(sorted(LOCK), expected);
        assert_eq!(sorted(expected), expected);
    }

    #[test]
    fn a_lock_without_packages_stays_as_it_is() {
        assert_eq!(sorted("version = 4\n"), "version = 4\n");
    }

    #[test]
    fn names_packages() {
        assert_eq!(
            packages(LOCK).collect::<Vec<_>>(),
            ["zeta", "alpha", "alpha"]
        );
    }

    #[test]
    fn knows_lock_files() {
        assert!(is_lock("Cargo.lock") && is_lock("host/Cargo.lock"));
        assert!(!is_lock("uv.lock") && !is_lock("MyCargo.lock"));
    }
}
