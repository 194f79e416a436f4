//! How much memory this process may use.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Where Linux shows control groups, and says which ones this process is in.
const GROUPS: &str = "/sys/fs/cgroup";
const OWN_GROUPS: &str = "/proc/self/cgroup";

/// Bytes of memory of the machine or, if it has less, of the container or service that this process
/// belongs to; `usize::MAX` where the system does not tell.
pub fn memory() -> usize {
    static BYTES: AtomicUsize = AtomicUsize::new(0); // 0: not asked yet
    match BYTES.load(Ordering::Relaxed) {
        0 => {
            let own = fs::read_to_string(OWN_GROUPS).unwrap_or_default(); // none elsewhere
            let bytes = of_machine().min(limit_of_groups(GROUPS.as_ref(), &own));
            BYTES.store(bytes, Ordering::Relaxed);
            bytes
        }
        bytes => bytes,
    }
}

#[cfg(unix)]
fn of_machine() -> usize {
    // SAFETY: asks for two sizes.
    let (pages, size) = unsafe {
        (
            libc::sysconf(libc::_SC_PHYS_PAGES),
            libc::sysconf(libc::_SC_PAGESIZE),
        )
    };
    match (usize::try_from(pages), usize::try_from(size)) {
        (Ok(pages), Ok(size)) => pages.saturating_mul(size),
        _ => usize::MAX,
    }
}

#[cfg(not(unix))]
fn of_machine() -> usize {
    usize::MAX
}

/// The lowest limit of groups, as `/proc/self/cgroup` lists them, and of the groups that those are
/// in. Groups are folders; of version 1, those for memory have a folder of their own. The outermost
/// one counts in any case: `/proc` may be hidden.
fn limit_of_groups(root: &Path, own: &str) -> usize {
    let limits = own.lines().filter_map(|line| {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, group) = (parts.next()?, parts.next()?, parts.next()?);
        let (top, file) = match controllers {
            "" => (root.to_owned(), "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes")
            }
            _ => return None,
        };
        let inner = top.join(group.trim_start_matches('/'));
        // A container is shown its own group at the top, whatever it is called.
        let groups = inner
            .ancestors()
            .take_while(|group| group.starts_with(&top));
        groups
            .chain([&*top])
            .map(|group| limit_in(&group.join(file)))
            .min()
    });
    limits.fold(limit_in(&root.join("memory.max")), usize::min)
}

/// The limit in a file; without a number there is none.
fn limit_in(file: &Path) -> usize {
    fs::read_to_string(file)
        .ok()
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn scratch(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("{name}.{}", std::process::id()))
    }

    #[test]
    fn limits_of_all_groups_around_count() {
        let root = scratch("groups");
        let write = |group: &str, text: &str| {
            let file = root.join(group);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        let limit = |own| limit_of_groups(&root, own);
        assert_eq!(limit("0::/user/job\n"), usize::MAX);
        write("user/job/memory.max", "max\n");
        write("user/memory.max", "5000\n");
        assert_eq!(limit("1:cpu:/other\n0::/user/job\n"), 5000);
        write("user/job/memory.max", "4000\n");
        assert_eq!(limit("0::/user/job\n"), 4000);
        write("memory.max", "3000\n");
        assert_eq!(limit("0::/not/shown/here\n"), 3000);
        assert_eq!(limit("0::/../outside\n"), 3000);
        write("memory/job/memory.limit_in_bytes", "2000\n");
        assert_eq!(limit("4:cpu,memory:/job/inner\n0::/user/job\n"), 2000);
        assert_eq!(limit("4:memory:/job\n"), 2000);
        assert_eq!(limit(""), 3000);
        write("memory/other/memory.limit_in_bytes", "1000\n");
        assert_eq!(limit("1:cpu:/other\n"), 3000);
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_machine_has_memory() {
        let bytes = of_machine();
        assert!((1 << 20..usize::MAX).contains(&bytes), "{bytes}");
        assert!((1..=bytes).contains(&memory()));
    }

    #[test]
    fn containers_have_limits() {
        let file = scratch("memory.max");
        assert_eq!(limit_in(&file), usize::MAX);
        for (text, limit) in [("max\n", usize::MAX), ("4096\n", 4096)] {
            fs::write(&file, text).unwrap();
            assert_eq!(limit_in(&file), limit, "{text}");
        }
        fs::remove_file(file).unwrap();
    }
}
