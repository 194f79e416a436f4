"""Changes in the PTX that the compiler makes of kernels.

A panic is reported, shared memory is accessed as such, and symbols have the same names wherever they were made.
"""

from __future__ import annotations

import re
import sys


def rewrite(text: str) -> str:
    """Return the PTX that a package has, of the compiler's."""
    return rename_symbols(raise_target(limit_threads(use_shared_memory(report_panics(text)))))


def report_panics(text: str) -> str:
    """Replace `trap` by a call of `kernel_panicked`, which reports to the host: see grid/panic/report.rs of the crate.

    After a `trap` the process cannot use the GPU any more. The declaration is what the compiler makes of the definition, which
    some of them mark as one that does not return.
    """
    head = r"[.]visible [.]func kernel_panicked[(][)]([ \t\n]+[.]noreturn)?"
    defined = re.search(head + r"[ \t\n]*{", text)
    if not defined:
        sys.exit("error: the PTX has no kernel_panicked that could be declared")
    text = text.replace("trap; exit;", "{ call kernel_panicked, (); } exit;")
    declaration = f".visible .func kernel_panicked(){defined[1] or ''};"
    text = text.replace(".address_size 64\n", f".address_size 64\n\n{declaration}\n")
    text = re.sub(r"[ \t]+\n", "\n", text)
    if found := re.search(r"trap;|[.]extern [.]func[^;]*;", text):
        sys.exit(f"error: the PTX holds what cannot be run: {found[0]}")
    return text


START = r"cvta[.]shared[.]u64 (%rd[0-9]+), ([A-Z_]+)"


def use_shared_memory(text: str) -> str:
    """Return PTX with instructions for shared memory wherever it can have them.

    Rust has no pointers that are known to be of shared memory, so what the compiler reads and writes there is by instructions
    that find out first which memory an address is of: they make the product of two matrices a quarter slower.
    """
    *kernels, rest = re.split(r"(?<=\n}\n)", text)
    return "".join([*map(use_shared_memory_in, kernels), rest])


def use_shared_memory_in(kernel: str) -> str:
    """Return a kernel, and what is before it, with instructions for shared memory, or as it is.

    An address is followed through copies, additions and comparisons with others. A kernel that does anything else with one is
    left as it is.
    """
    shared = {found[1] for found in re.finditer(START, kernel)}
    to_do = [*shared]
    while to_do:
        register = to_do.pop()
        for use in re.findall(rf"[^\n]*{register}(?![0-9])[^\n]*", kernel):
            if copy := re.match(r"\t(?:add[.]s64|mov[.]b64) \t(%rd[0-9]+), ", use):
                if copy[1] not in shared:
                    shared.add(copy[1])
                    to_do.append(copy[1])
            elif not re.match(rf"\tsetp[.]|\t{START}", use) and not is_access(use, register):
                return kernel
    # Whatever is copied or compared must be of shared memory as well, and so must one of the terms of a sum.
    for use in re.findall(r"\t(?:add[.]s64|mov[.]b64|setp)[^\n]*", kernel):
        if sum(register in shared for register in re.findall(r"%rd[0-9]+", use)) not in {0, 2}:
            return kernel
    kernel = re.sub(START, r"mov.u64 \1, \2", kernel)
    for register in shared:
        kernel = re.sub(rf"\t(ld|st)([^\n[]*\[{register}[]+])", r"\t\1.shared\2", kernel)
    return kernel


def is_access(line: str, register: str) -> bool:
    """Return whether a line loads or stores at the address in a register, which is not itself stored or loaded over."""
    access = rf"\t(ld|st)([.]v[24])?[.][bsu][0-9]+ \t[^[]*\[{register}[]+]"
    twice = rf"{register}[^0-9].*{register}(?![0-9])"
    return bool(re.match(access, line)) and not re.search(twice, line)


def limit_threads(text: str) -> str:
    """Say how many threads the blocks of rows have at most, so that there are registers for them: see grid/rows.rs of the crate.

    Their kernels say for how many threads there must be registers.
    """
    *kernels, rest = re.split(r"(?<=\n}\n)", text)
    said = re.compile(r"// registers for ([0-9]+) threads")
    limited = [
        re.sub(r"([.]entry [^{]*[)])\n", rf"\1\n.maxntid {most[1]}, 1, 1\n", it)
        if (most := said.search(it))
        else it
        for it in kernels
    ]
    return "".join([*limited, rest])


def raise_target(text: str) -> str:
    """Name the version and the architecture with which instructions came that are written out in grid/tensor/ptx.rs of the crate.

    They use tensor cores, or start copies that are waited for later. PTX is for these only if it has such instructions.
    """
    return newer(text, 80) if re.search(r"mma[.]sync|cp[.]async", text) else text


VERSIONS = {80: "7.0", 89: "8.1"}  # of PTX, by the first GPUs that have its instructions


def newer(text: str, target: int) -> str:
    """Return what GPUs from this one on get of PTX: see gpu/kernels.rs of the core, where it is loaded."""
    for known, version in VERSIONS.items():
        if known <= target and (known == target or f" // from sm_{known}: " in text):
            text = re.sub(rf"(?m)^.* // from sm_{known}: ", "", text)
            text = re.sub(r"(?m)^[.]version .*", f".version {version}", text)
            text = re.sub(r"(?m)^[.]target sm_[0-9]+", f".target sm_{known}", text)
    return text


def rename_symbols(text: str) -> str:
    """Remove numbers from names that cargo makes of the path of a crate, so that PTX is the same wherever it was made."""
    text = re.sub(r"Cs[0-9A-Za-z]+_([0-9])", r"C\1", text)
    names = dict.fromkeys(re.findall(r"anon_[$]_[0-9a-f]+", text))
    for count, name in enumerate(names):
        text = text.replace(name, f"anon_$_of{count}")
    return text
