//! `Cargo.lock` as a template: where the user's crate goes in the alphabet is known when its name is.

const HEADER: &str = "[[package]]\n";

/// Lets Liquid sort the packages, which all begin with their name.
pub fn template(lock: &str) -> String {
    let Some((head, packages)) = lock.split_once(HEADER) else {
        return lock.to_owned();
    };
    let packages = packages.trim_end();
    format!(
        "{head}{{% capture between %}}\n\n{HEADER}{{% endcapture %}}{{% capture packages %}}{packages}{{% endcapture %}}\
         {HEADER}{{{{packages | split: between | sort | join: between}}}}\n"
    )
}
