"""daemon_threads.py CALL: daemon threads are in functions of `src/` when the interpreter ends, which ends them where they wait for it."""

import contextlib
import sys
import threading
import time

CALLS = {
    "numbers": "ext.line(1, 2, 5)",
    "arrays": "ext.relax(np.ones(1000), tolerance=-1, limit=50)",
    "objects": "ext.Smoother(5).apply(np.ones(5))",
    "Python code": "ext.relax(Slow(), tolerance=-1, limit=50)",
    "errors": "ext.relax([0.0])",
}


def main(call: str) -> None:
    import numpy as np
    from mypkg import ext

    class Slow:
        def __init__(self) -> None:
            self.x = np.ones(1000)
            self.__dlpack_device__ = self.x.__dlpack_device__

        def __dlpack__(self, **options):
            time.sleep(0)
            return self.x.__dlpack__(**options)

    code = compile(CALLS[call], call, "eval")
    names = {"np": np, "ext": ext, "Slow": Slow}

    def work() -> None:
        while True:
            with contextlib.suppress(TypeError, ext.NotConverged):
                eval(code, names)

    for _ in range(4):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(0.2)


if __name__ == "__main__":
    main(sys.argv[1])
