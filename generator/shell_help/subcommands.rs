//! Which words of a command line are subcommands.

use clap_complete::Shell;

/// Corrects a script of clap_complete: in some shells they take every word for a subcommand, and so complete nothing
/// after the name of a package.
pub fn only(names: &[&str], shell: Shell, script: &str) -> String {
    let (any, one_of_them) = match shell {
        Shell::Fish => (
            "if set -q argv[1]\n",
            format!("if contains -- \"$argv[1]\" {}\n", names.join(" ")),
        ),
        Shell::PowerShell => (
            "\n        $element.Value\n",
            format!(
                "\n        if ($element.Value -in '{}') {{ $element.Value }}\n",
                names.join("', '")
            ),
        ),
        Shell::Elvish => (
            "set command = $command';'$word\n",
            format!(
                "if (has-value [{}] $word) {{ set command = $command';'$word }}\n",
                names.join(" ")
            ),
        ),
        _ => return script.to_owned(),
    };
    debug_assert_eq!(script.matches(any).count(), 1, "{shell}: {script}");
    script.replace(any, &one_of_them)
}
