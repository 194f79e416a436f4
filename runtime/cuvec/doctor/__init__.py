"""Says what keeps the package from working here: `python -m mypkg.doctor`.

It never imports the native module, which may be what is wrong. But Python imports `mypkg` before it
looks for `mypkg.doctor`, and that imports `mypkg.cuvec`: so this is the first that `cuvec` imports,
and when Python was started in this way, the doctor runs now and ends the process.
"""

import sys

PACKAGE = __name__.rsplit(".", maxsplit=2)[0]  # which may be in another one

# `-m` is in the place of the program's name while Python still looks for the module
if sys.argv[:1] == ["-m"] and any(
    word.endswith((f"{PACKAGE}.doctor", f"{PACKAGE}.cuvec.doctor")) for word in sys.orig_argv
):
    from .command import main

    sys.exit(main(sys.argv[1:]))
