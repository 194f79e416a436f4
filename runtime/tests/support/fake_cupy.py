"""A module that looks like CuPy, and logs how its arrays and streams are used."""

FAKE_CUPY = """
import sys
import types

from exporters import Logged
from package import axpy, cuvec

log = []
cupy = types.ModuleType("cupy")
cupy.cuda = types.SimpleNamespace()
sys.modules["cupy"] = cupy


class ndarray(Logged):
    def __dlpack__(self, **arguments):
        log.append(("__dlpack__", arguments["stream"]))
        return self.array.__dlpack__(max_version=arguments["max_version"])


class Stream:
    @property
    def ptr(self):
        log.append("stream")
        return 0


class Derived(ndarray):
    def __dlpack__(self, **arguments):
        return Logged.__dlpack__(self, **arguments)


cupy.ndarray, cupy.cuda.get_current_stream = ndarray, Stream
"""
