//! The GPUs that a function is compiled for, where it declares them.

/// Checks whether a GPU of this compute capability runs code for the architectures: `90a` is for
/// that one only, `100f` and `100` for later ones of the same major version as well, and `100+`,
/// which is PTX too, for all later ones.
#[must_use]
pub fn runs(architectures: &str, (major, minor): (i32, i32)) -> bool {
    architectures.split(", ").any(|it| {
        let number = it.trim_end_matches(|letter: char| !letter.is_ascii_digit());
        let Ok(oldest) = number.parse::<i32>() else {
            return false; // there is none
        };
        let gpu = 10 * major + minor;
        match &it[number.len()..] {
            "a" => gpu == oldest,
            "+" => gpu >= oldest,
            _ => major == oldest / 10 && gpu >= oldest,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn a_gpu_runs_what_is_compiled_for_it() {
        for (architectures, gpus) in [
            ("90a, 103a", &[90, 103][..]),
            ("100f", &[100, 103]),
            ("80, 89", &[80, 86, 89]),
            ("90, 120+", &[90, 120, 121, 130]),
            ("", &[]),
        ] {
            let all = [75, 80, 86, 89, 90, 100, 103, 120, 121, 130];
            let runs = |gpu: &i32| runs(architectures, (gpu / 10, gpu % 10));
            assert_eq!(all.into_iter().filter(runs).collect::<Vec<_>>(), gpus);
        }
    }
}
