"""Says what keeps the package from working here: `python -m mypkg.doctor`. And starts `mypkg.check`.

It never imports the native module, which may be what is wrong. But Python imports `mypkg` before it
looks for `mypkg.doctor`, and that imports `mypkg.cuvec`. So this is the first that `cuvec` imports:
when Python was started in this way, the doctor runs now and ends the process.
"""

import sys

PACKAGE = __name__.rsplit(".", maxsplit=2)[0]  # which may be in another one


def started(name: str) -> bool:
    """Return whether `python -m` is looking for this module: `-m` is then the program's name."""
    modules = f"{PACKAGE}.{name}", f"{PACKAGE}.cuvec.{name}"
    argv = getattr(sys, "argv", [])  # a program that embeds Python may have none
    return argv[:1] == ["-m"] and any(word.endswith(modules) for word in sys.orig_argv)


if started("doctor"):
    from .command import main

    sys.exit(main(sys.argv[1:]))
if started("check"):
    from ..check import main

    sys.exit(main(sys.argv[1:]))
