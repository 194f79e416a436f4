//! Commands of other tools, which a package is called after only if `new` or `--output` says so.

/// Lines that do the same, or nothing, and the words.
const WORDS: [(&str, &str); 10] = [
    (
        "cuvec-new update",
        "bump migrate outdated pull sync upgrade",
    ),
    (
        "cuvec-new doctor",
        "check debug diagnose env info status validate verify",
    ),
    ("cuvec-new list", "ls search show"),
    (
        "cuvec-new new NAME",
        "gen generate make scaffold setup start",
    ),
    ("cuvec-new adopt FILE.cu", "bind convert port wrap"),
    ("cuvec-new completions SHELL", "completion"),
    (
        "git rm kernels/NAME.cu tests/test_NAME.py",
        "delete remove rm uninstall",
    ),
    ("pip install .", "compile develop instal install"),
    ("pip wheel .", "dist pack package wheel"),
    (
        "",
        "bench benchmark clean commands config copy deploy doc fmt format login move publish release rename \
         reset revert run serve undo upload watch",
    ),
];

/// The line that does what a word does elsewhere; an empty one if none does.
pub fn line(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    let mut lines = WORDS.into_iter();
    let (line, _) = lines.find(|(_, words)| words.split(' ').any(|it| it == word))?;
    Some(line)
}
