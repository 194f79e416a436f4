"""The examples in the documentation of the crate `cuvec`. `rust_examples.py PACKAGE` adds them to the module in `src/` of a new package with the
bindings `pyo3`, with tests that run them."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CRATE = ROOT / "runtime/rust"
HIDDEN = re.compile(r"^( *)#(?: |$)", re.MULTILINE)  # a line that rustdoc does not show

EXAMPLE = """/// Runs an example.
#[pyo3::pyfunction]
pub fn example(name: &str) -> pyo3::PyResult<()> {{
    match name {{
{arms}        _ => unreachable!(),
    }}
}}
"""
TESTS = '''"""The examples of the crate `cuvec`."""

import pytest
from {module} import ext


@pytest.mark.parametrize("name", {names})
def test_example(name):
    ext.example(name)
'''


def blocks() -> list[tuple[Path, str]]:
    """The examples, each with its file."""
    found = []
    for path in sorted((CRATE / "src").glob("*.rs")):
        lines = "\n".join(re.findall(r"^ *//[/!] ?(.*)$", path.read_text(), re.MULTILINE))
        for language, code in re.findall(r"^```(.*?)\n(.*?)^```$", lines, re.MULTILINE | re.DOTALL):
            assert language == "no_run", f"{path}: an example that is not tested, `{language}`"
            found.append((path, code))
    return found


def whole(path: Path, code: str) -> tuple[str, str]:
    """A name, by its file and its first function, and all of its lines."""
    function = re.search(r"fn (\w+)", code)[1]
    return f"{path.stem}_{function}", HIDDEN.sub(r"\1", code).replace("fn main()", "pub fn main()")


EXAMPLES = dict(whole(*block) for block in blocks())


def shown() -> list[str]:
    """The examples as rustdoc shows them."""
    return [re.sub(rf"{HIDDEN.pattern}.*\n", "", code, flags=re.MULTILINE) for _, code in blocks()]


def add_to(package: Path) -> None:
    shutil.copy(ROOT / "bench/kernels/cu/gemv.cu", package / "kernels")  # which an example calls
    modules = "".join(f"mod {name} {{\n{code}}}\n\n" for name, code in EXAMPLES.items())
    arms = "".join(f'        "{name}" => {name}::main(),\n' for name in EXAMPLES)
    (package / "src/examples.rs").write_text(modules + EXAMPLE.format(arms=arms))
    (package / "src/test_examples.py").write_text(TESTS.format(module=package.name, names=[*EXAMPLES]))
    library, manifest = package / "src/lib.rs", package / "Cargo.toml"
    text = library.read_text().replace("use cuvec::{", "mod examples;\n\nuse cuvec::{", 1)
    library.write_text(text.replace("use super::{", "use super::{examples::example, ", 1))
    cudarc = next(line for line in (CRATE / "Cargo.toml").read_text().splitlines() if line.startswith("cudarc"))
    features = manifest.read_text().replace('rust" }', 'rust", features = ["half", "num-complex"] }')
    manifest.write_text(f'{features}half = "2"\nnum-complex = "0.4"\n{cudarc}\n')
    subprocess.run(["cargo", "update", "--quiet", "--workspace"], cwd=package, check=True)


if __name__ == "__main__":
    add_to(Path(sys.argv[1]))
