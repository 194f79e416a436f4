//! Which words of a command line are subcommands.

use clap::ValueEnum;
use clap_complete::Shell;

/// Corrects a script of clap_complete: in some shells they take every word for a subcommand, and so complete nothing
/// after the name of a package. Bash's spells the cases of subcommands in two ways, and lists options first; fish's
/// knows no values without an option; zsh's takes the command for the name of a package.
pub fn only(names: &[&str], shell: Shell, script: &str) -> String {
    let all = names.join(" ");
    let (any, one_of_them) = match shell {
        Shell::Bash => return commands_first(&all, script),
        Shell::Zsh => return name_or_command(names, script),
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

/// Makes zsh's first positional argument a command if one of the words before the cursor is.
fn name_or_command(names: &[&str], script: &str) -> String {
    let lines: Vec<_> = script.lines().collect();
    let name = lines.iter().position(|it| it.starts_with("'::name -- "));
    let Some(name) = name else {
        return script.to_owned();
    };
    let start = lines[..name]
        .iter()
        .rposition(|it| it.contains("local context "));
    let start = start.unwrap_or_default();
    let (before, positional) = (&lines[..=start], "\"${positional[@]}\" \\");
    let chosen = [
        "    local -a positional=('::name:_cuvec-new_commands')".to_owned(),
        format!(
            "    if (( ${{words[(i)({})]}} < CURRENT )); then",
            names.join("|")
        ),
        "        positional=(':: :_cuvec-new_commands' '*::: :->cuvec-new')".to_owned(),
        "    fi".to_owned(),
    ];
    let after = lines[name + 3..].join("\n").replace("$line[2]", "$line[1]");
    let before = before.join("\n") + "\n" + &chosen.join("\n");
    let options = lines[start + 1..name].join("\n");
    format!("{before}\n{options}\n{positional}\n{after}\n")
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
