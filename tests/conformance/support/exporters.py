"""Objects that export arrays, well-formed and malformed, and the values to malform them with."""

import ctypes

import capsules

JUNK = [
    None,
    True,
    -1,
    0,
    1,
    2**31,
    2**63,
    2**64,
    2**70,
    1.5,
    float("nan"),
    "",
    "x",
    b"<f4",
    (),
    (1,),
    [],
    {},
]
# The CUDA driver crashes on an integer that is not a stream, whoever calls it: these are streams or no integers.
STREAMS = [None, 0, 1, 2, -1, 2**70, 1.5, "x", (), {}]
TYPESTRS = [
    "<f4",
    ">f4",
    "|f4",
    "<f8",
    "<f2",
    "<f16",
    "<i4",
    "|b1",
    "<c8",
    "|V4",
    "|O8",
    "f",
    "<f",
    "<f444",
    "é",
    "",
]
SIZES = [-(2**63), -1, 0, 1, 3, 4, 2**31, 2**62, 2**63 - 1]
# In memory that is there, or beyond the address space: what is between, nobody can tell of memory of the host.
STRIDES = [-(2**63), 0, 1, 2**62, 2**63 - 1]
POINTERS = [0, 1, 7, 2**47, 2**63, 2**64 - 4]
INTERFACE_KEYS = ("shape", "typestr", "data", "version", "strides", "stream", "mask")
DEVICES = [
    (1, 0),
    (2, 0),
    (2, 99),
    (2, -1),
    (3, 0),
    (13, 0),
    (99, 0),
    (0, 0),
    (1,),
    (),
    "x",
    None,
    (1.5, "x"),
    (2**40, 0),
]
MAX_DIMS = 64  # NumPy's limit


def is_device(device):
    """Return whether it fits into DLPack's structure."""
    return (
        isinstance(device, tuple)
        and len(device) == 2
        and all(isinstance(n, int) and n < 2**31 for n in device)
    )


class Dlpack:
    """An array that exports DLPack only."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **arguments):
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class DlpackWithAction(Dlpack):
    """The same, and it calls a function when it is exported."""

    def __init__(self, array, action):
        super().__init__(array)
        self.action = action

    def __dlpack__(self, **arguments):
        self.action()
        return super().__dlpack__(**arguments)


class CudaArrayInterface:
    """An array on the GPU that exports `__cuda_array_interface__` only."""

    def __init__(self, array):
        self.array = array

    @property
    def __cuda_array_interface__(self):
        return self.array.__cuda_array_interface__


class Logged:
    """An array with all interfaces, which logs their use."""

    def __init__(self, array, log):
        self.array = array
        self.log = log

    def __dlpack__(self, **arguments):
        self.log.append("__dlpack__")
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        self.log.append("__dlpack_device__")
        return self.array.__dlpack_device__()

    @property
    def __cuda_array_interface__(self):
        self.log.append("__cuda_array_interface__")
        return self.array.__cuda_array_interface__

    @property
    def requires_grad(self):
        self.log.append("requires_grad")
        return False


class Interface:
    """An object with this `__cuda_array_interface__`."""

    def __init__(self, interface):
        self.interface = interface

    @property
    def __cuda_array_interface__(self):
        if isinstance(self.interface, BaseException):
            raise self.interface
        return self.interface


class Exchange:
    """An object whose DLPack methods return the given values, or raise those that are exceptions."""

    def __init__(self, capsule, device):
        self.capsule = capsule
        self.device = device

    def __dlpack__(self, **_arguments):
        if isinstance(self.capsule, BaseException):
            raise self.capsule
        return self.capsule

    def __dlpack_device__(self):
        if isinstance(self.device, BaseException):
            raise self.device
        return self.device


class Capsule:
    """A capsule of a tensor of four float32 in host memory, with `changes`."""

    new = capsules.function(
        "PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
    )

    def __init__(self, name, **changes):
        self.elements = (ctypes.c_float * 4)(1, 2, 3, 4)
        self.shape = (ctypes.c_int64 * MAX_DIMS)(*changes.pop("shape", [4]))
        self.steps = (ctypes.c_int64 * MAX_DIMS)(*changes.pop("strides", [1]))
        kind = capsules.Versioned if name.endswith(b"versioned") else capsules.Legacy
        self.managed = kind()
        if kind is capsules.Versioned:
            self.managed.major = changes.pop("major", 1)
            self.managed.flags = changes.pop("flags", 0)
        tensor = self.managed.tensor
        tensor.data = changes.pop("data", ctypes.addressof(self.elements))
        tensor.device = capsules.Device(*changes.pop("device", (1, 0)))
        tensor.dtype = capsules.DataType(*changes.pop("dtype", (2, 32, 1)))
        tensor.ndim = changes.pop("ndim", 1)
        tensor.byte_offset = changes.pop("byte_offset", 0)
        tensor.shape_, tensor.strides_ = self.shape, self.steps
        if changes.pop("no_strides", False):
            tensor.strides_ = None
        if changes.pop("no_shape", False):
            tensor.shape_ = None
        assert not {key for key in changes if key not in ("major", "flags")}
        self.name = name  # a capsule does not copy it
        self.renew()

    def renew(self):
        """Make a new capsule, since each can be consumed once."""
        self.capsule = self.new(ctypes.addressof(self.managed), self.name, None)
