//! Tests the crate of a package's kernels as a part of the library `_functions`.

use core::iter;
use std::vec::Vec;

use super::FILES;
use super::cuvec_rust_functions;

/// Bytes of each parameter of an entry of the image, as `.param .align 8 .b8 x[16]` or `.param .f32 x`.
fn parameters(image: &str, name: &str) -> Option<Vec<usize>> {
    let (_, entry) = image.split_once(&std::format!(".visible .entry {name}("))?;
    let lines = entry.split_once(')')?.0.lines().map(str::trim);
    let size = |line: &str| match line.split_once('[') {
        Some((_, size)) => size.trim_end_matches([']', ',']).parse::<usize>().ok(),
        None => {
            let bits = line
                .split(' ')
                .nth(1)?
                .trim_start_matches(|c: char| !c.is_ascii_digit());
            Some(bits.parse::<usize>().ok()? / 8)
        }
    };
    lines.filter(|line| !line.is_empty()).map(size).collect()
}

#[test]
#[allow(unsafe_code)]
fn the_images_have_every_kernel_with_these_parameters() {
    // SAFETY: what `FILES` says.
    let libraries = unsafe { ::cuvec_kernels::row::c::libraries(cuvec_rust_functions) }.unwrap();
    assert_eq!(libraries.len(), FILES.len());
    let mut count = 0;
    for (library, file) in iter::zip(libraries, FILES) {
        // SAFETY: the library's own list, which lives as long as the process.
        for kernel in unsafe { library.kernels() } {
            // SAFETY: the kernel's own names and parameters.
            let ([name, _, path], declared) =
                unsafe { (kernel.names().unwrap(), kernel.parameters()) };
            assert_eq!(kernel.index, count, "{path}: {name}");
            count += 1;
            let bytes = declared.iter().map(|parameter| parameter.size as usize);
            if let Some(image) = file.image {
                assert_eq!(
                    parameters(image, name),
                    Some(bytes.collect()),
                    "{path}: {name}"
                );
            }
        }
    }
}

#[test]
#[allow(unsafe_code)]
fn rows_are_read() {
    // SAFETY: what `FILES` says.
    let libraries = unsafe { ::cuvec_kernels::row::c::libraries(cuvec_rust_functions) }.unwrap();
    // SAFETY: the libraries' own rows.
    let specs = libraries
        .iter()
        .map(|library| unsafe { library.specs() }.unwrap());
    let specs: Vec<_> = specs.flatten().collect();
    let files = FILES.iter();
    let functions = files.flat_map(|file| file.functions.iter().map(|it| (file.path, it)));
    let functions: Vec<_> = functions.collect();
    assert_eq!(specs.len(), functions.len());
    for (spec, (path, declared)) in iter::zip(&specs, functions) {
        assert_eq!((spec.name, spec.file), (declared.name, path));
        let methods = spec.class.map_or(&[][..], |class| class.methods);
        assert_eq!(methods.len(), declared.methods.len());
        assert!(methods.iter().all(|it| it.file == path));
    }
}
