"""PTX of kernels in Rust: which sources it is of, and what is rewritten in it."""

from pathlib import Path

import pytest
from cuvec_build.ptx.compiler import files_of
from cuvec_build.ptx.rewrite import raise_target, rename_symbols, report_panics, use_shared_memory
from cuvec_build.ptx.sources import Sources, reached

PTX = ".version 6.3\n.target sm_75\n.address_size 64\n.visible .func kernel_panicked(){end}\n{{\n{body}\n}}\n"


def test_a_panic_is_reported() -> None:
    for end in ("", "\n.noreturn"):
        text = report_panics(PTX.format(end=end, body="\ttrap; exit;   "))
        assert f".address_size 64\n\n.visible .func kernel_panicked(){end};\n.visible" in text
        assert "\n{\n\t{ call kernel_panicked, (); } exit;\n}\n" in text


@pytest.mark.parametrize("body", ["trap;", ".extern .func missing\n(\n);"])
def test_ptx_that_cannot_run_is_refused(body: str) -> None:
    with pytest.raises(SystemExit, match=r"^error: the PTX holds what cannot be run: "):
        report_panics(PTX.format(end="", body=body))
    with pytest.raises(SystemExit, match="no kernel_panicked that could be declared"):
        report_panics("ret;")


def test_tensor_cores_came_with_a_version_and_an_architecture() -> None:
    head = ".version 6.3\n.target sm_75\n"
    assert raise_target(head) == head
    for instruction in ("mma.sync.aligned", "cp.async.ca"):
        assert raise_target(head + instruction) == f".version 7.0\n.target sm_80\n{instruction}"


def test_symbols_are_the_same_wherever_a_crate_is() -> None:
    text = "_RNvCs4xYz_7kernels4axpy anon_$_ab12 anon_$_cd34 anon_$_ab12"
    assert rename_symbols(text) == "_RNvC7kernels4axpy anon_$_of0 anon_$_of1 anon_$_of0"


def test_files_that_make_reads() -> None:
    assert files_of("/a b/lib.rlib: /a\\ b/axpy.rs /c.rs\n") == [
        Path("/a b/axpy.rs"),
        Path("/c.rs"),
    ]


def test_modules_and_files_that_a_file_reads(tmp_path: Path) -> None:
    """Included files are read, and not compiled as modules; no file is read that is not named."""
    texts = {
        "axpy": "use super::dot::root;",
        "dot": 'include!("table.rs");',
        "table": "use crate::{norm};",
        "norm": "// super of none",
        "other": "fn f() {}",
        "lib": "",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.rs").write_text(text)
    sources = Sources.__new__(Sources)
    sources.kernels = tmp_path
    named = {name: sources.named(name, [*texts]) for name in texts}
    assert reached(["axpy", "lib"], named) == (
        ["axpy", "lib", "dot", "norm"],
        ["axpy", "dot", "lib", "norm", "table"],
    )
    assert reached(["other", "lib"], named) == (["other", "lib"], ["lib", "other"])


START = "\tcvta.shared.u64 %rd1, KERNEL_SHARED;"
# Each with the instructions that become others.
FOLLOWED = {
    "a store and a load": "\tst.b32 \t[%rd1], %r1;\n\tld.b32 \t%r2, [%rd1+4];",
    "of several": "\tst.v4.b32 \t[%rd1], {%r1, %r2, %r3, %r4};\n\tld.v2.b64 \t{%rd5, %rd6}, [%rd1+-16];",
    "of a sum": "\tadd.s64 \t%rd2, %rd9, %rd1;\n\tld.b8 \t%rs1, [%rd2+2];\n\tld.s8 \t%rs2, [%rd2];",
    "in a loop": "\tmov.b64 \t%rd3, %rd1;\n\tld.b32 \t%r2, [%rd3];\n\tadd.s64 \t%rd3, %rd3, 64;\n\tsetp.ne.b64 \t%p1, %rd3, %rd1;",
}
LEFT_ALONE = {
    "an address that is stored": "\tst.b64 \t[%rd9], %rd1;",
    "an address that is loaded": "\tld.b64 \t%rd1, [%rd9];",
    "an address that is stored at itself": "\tst.b64 \t[%rd1+8], %rd1;",
    "an address that is loaded over itself": "\tld.v2.b64 \t{%rd5, %rd1}, [%rd1];",
    "an atomic instruction": "\tatom.relaxed.sys.cas.b32 \t%r2, [%rd1], %r3, %r4;",
    "a line of inline assembly": "\t{\nred.add.u32 [%rd1], %r1;\n}",
    "an argument": "\tst.param.b64 \t[param0], %rd1;",
    "the distance of two": "\tsub.s64 \t%rd2, %rd1, %rd9;",
    "the sum of two": "\tadd.s64 \t%rd2, %rd1, %rd1;",
    "one of two memories": "\tmov.b64 \t%rd2, %rd1;\n\tmov.b64 \t%rd2, %rd9;",
    "compared with another": "\tsetp.eq.b64 \t%p1, %rd1, %rd9;",
    "loaded at once": "\tld.volatile.b32 \t%r2, [%rd1];",
}


def kernel(lines: str) -> str:
    return f".visible .entry kernel(\n)\n{{\n{lines}\n\tret;\n}}\n"


def rewritten(lines: str) -> str:
    """Return the rewritten lines of a kernel. The kernel before it has an address too, and the one after it has a register of
    the same name."""
    before, behind = kernel(f"{START}\n\tld.b32 \t%r2, [%rd1];"), kernel("\tld.b32 \t%r2, [%rd1];")
    text = use_shared_memory(before + kernel(lines) + behind)
    first = kernel("\tmov.u64 %rd1, KERNEL_SHARED;\n\tld.shared.b32 \t%r2, [%rd1];")
    head, tail = kernel("@").split("@")
    assert text.startswith(first + head)
    assert text.endswith(tail + behind)
    return text.removeprefix(first + head).removesuffix(tail + behind)


@pytest.mark.parametrize("lines", FOLLOWED.values(), ids=FOLLOWED)
def test_shared_memory_is_accessed_as_such(lines: str) -> None:
    expected = lines.replace("\tld.", "\tld.shared.").replace("\tst.", "\tst.shared.")
    assert rewritten(f"{START}\n{lines}") == f"\tmov.u64 %rd1, KERNEL_SHARED;\n{expected}"
    # The name %rd1 is the beginning of %rd11, which is another register.
    lines = f"{START}\n\tld.b32 \t%r2, [%rd11];\n\tst.b64 \t[%rd11], %rd11;"
    assert rewritten(lines) == lines.replace("cvta.shared.u64", "mov.u64")


@pytest.mark.parametrize("lines", LEFT_ALONE.values(), ids=LEFT_ALONE)
def test_a_kernel_that_does_more_with_an_address_is_left_alone(lines: str) -> None:
    lines = f"{START}\n\tld.b32 \t%r2, [%rd1];\n{lines}"
    assert rewritten(lines) == lines
