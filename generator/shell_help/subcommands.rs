//! Which words of a command line are subcommands.

use clap::ValueEnum;
use clap_complete::Shell;

/// Corrects a script of clap_complete: in some shells they take every word for a subcommand, and so complete nothing
/// after the name of a package. Bash's spells the cases of subcommands in two ways, and lists options first; fish's
/// knows no values without an option.
pub fn only(names: &[&str], shell: Shell, script: &str) -> String {
    let all = names.join(" ");
    let (any, one_of_them) = match shell {
        Shell::Bash => return commands_first(&all, script),
        Shell::Fish => (
            "if set -q argv[1]\n",
            format!("if contains -- \"$argv[1]\" {all}\n"),
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
                all
            ),
        ),
        _ => return script.to_owned(),
    };
    debug_assert_eq!(script.matches(any).count(), 1, "{shell}: {script}");
    let script = script.replace(any, &one_of_them);
    match shell {
        Shell::Fish => script + &values("completions", &shells()) + &values("help", &all),
        _ => script,
    }
}

fn commands_first(all: &str, script: &str) -> String {
    let script = script.replace(
        "        cuvec__subcmd__new__subcmd__",
        "        cuvec__new__subcmd__",
    );
    let start = "\n        cuvec__new)\n            opts=\"";
    let Some((before, rest)) = script.split_once(start) else {
        return script;
    };
    let (options, after) = rest.split_once(&format!(" {all}\"")).unwrap_or((rest, ""));
    format!("{before}{start}{all} {options}\"{after}")
}

/// Makes fish complete the values that a command takes.
fn values(command: &str, all: &str) -> String {
    let condition = format!("__fish_cuvec_new_using_subcommand {command}");
    format!("complete -c cuvec-new -n \"{condition}\" -f -a \"{all}\"\n")
}

fn shells() -> String {
    let shells = Shell::value_variants().iter().map(ToString::to_string);
    shells.collect::<Vec<_>>().join(" ")
}
