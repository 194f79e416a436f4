"""What Python declares is what C has: structs, and the parameters of every function."""

import ctypes
import re
from pathlib import Path

import pytest
from native_modules import modules
from package import core  # which declares all functions

SOURCES = Path(__file__).parents[1] / "native" / "bridge"
parameters, structs = modules.parameters, modules.structs
declared, library = modules.library.declared, modules.library.library
ANY_POINTER = ctypes.c_void_p
# by the type in C: the classes that may stand for it
CLASSES = {
    "void": {None},
    "double": {parameters.Real, ctypes.c_double},
    "int32_t": {parameters.Int32, parameters.Count, parameters.Flag, ctypes.c_int32},
    "int64_t": {parameters.Int64, ctypes.c_int64},
    "uint64_t": {parameters.UInt64, ctypes.c_uint64},
    "core_status": {ctypes.c_int32},
    "char *": {parameters.Text, ctypes.c_char_p},
    "void *": {ANY_POINTER, ctypes.py_object},
    "int64_t *": {parameters.Extents},
    "core_array *": {modules.array.Array, ANY_POINTER},
    "core_stream *": {modules.stream.Stream, modules.stream.StreamOfCall},
    "core_stream": {structs.CoreStream},
    "core_array": {structs.CoreArray},
    "core_buffer": {structs.CoreBuffer},
    "core_device_info": {structs.CoreDeviceInfo},
    "core_memory": {structs.CoreMemory},
    "core_py": {structs.CorePy},
    "core_py_buffer": {structs.CorePyBuffer},
    "core_function": {structs.CoreFunction},
    "core_number": {structs.CoreNumber},
    "core_parameter": {structs.CoreParameter},
    "core_result": {structs.CoreResult},
}
FUNCTION = re.compile(r"CORE_API ([\w ]+[ *])(core_\w+)\(([^)]*)\);")
NOT_FOR_CTYPES = {  # CPython itself calls these, or another of them does
    "core_py_array",
    "core_py_number",
    "core_py_interrupted",
    "core_call",  # core_call_1 and so on stand for it
    "core_set_interrupt_check",
    "core_py_convert",
    "core_py_stream",
    "core_py_stream_of_call",
    "core_py_getbuffer",
    "core_py_dealloc",
    "core_py_let_go",
    "core_py_destroy_capsule",
    "core_buffer_new",
    "core_buffer_delete",
    "core_dlpack_import",
    "core_dlpack_export",
}


class LayoutRow(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("offset", ctypes.c_uint64), ("size", ctypes.c_uint64))


def classes(c_type):
    """The classes that may stand for a type of C."""
    c_type = c_type.replace("const ", "").strip()
    found = set(CLASSES.get(c_type, ()))
    if c_type.endswith("*"):
        target = c_type[:-1].strip()
        found |= {ctypes.POINTER(kind) for kind in classes(target) if is_data(kind)}
        found |= {ctypes.POINTER(ANY_POINTER)} if target.endswith("*") else set()
    return found


def is_data(kind):
    return hasattr(kind, "in_dll")


def prototypes():
    """Name, type of the result and types of the parameters of every function in the headers."""
    for header in ("core.h", "cpython.h"):
        text = re.sub(r"//.*", "", (SOURCES / header).read_text())
        for result, name, listed in FUNCTION.findall(" ".join(text.split())):
            if name not in NOT_FOR_CTYPES:
                types = [re.sub(r"\w+$", "", one).strip() for one in listed.split(",")]
                yield name, result.strip(), [one for one in types if one]


def layout():
    rows = (LayoutRow * 1000).in_dll(library, "core_layout")
    for row in rows:
        if row.name is None:
            return
        yield row.name.decode(), row.offset, row.size


PROTOTYPES = {prototype[0]: prototype[1:] for prototype in prototypes()}
LAYOUT = {row[0]: row[1:] for row in layout()}


def test_every_function_of_the_headers_is_declared_and_no_other():
    assert core.declared
    assert set(PROTOTYPES) == set(declared)


@pytest.mark.parametrize("name", PROTOTYPES)
def test_declarations_are_those_of_the_header(name):
    result, types = PROTOTYPES[name]
    function = declared[name]
    assert function.restype in classes(result)
    assert len(function.argtypes) == len(types)
    for ours, c_type in zip(function.argtypes, types, strict=True):
        kind = ours if isinstance(ours, type) else type(ours)
        assert kind in classes(c_type), f"{ours} is not {c_type}"


def struct_of(name):
    return next(kind for kind in CLASSES[name] if kind)


@pytest.mark.parametrize("name", LAYOUT)
def test_structs_are_laid_out_as_in_c(name):
    struct, _, member = name.partition(".")
    offset, size = LAYOUT[name]
    if member:
        field = getattr(struct_of(struct), member)
        assert (field.offset, field.size) == (offset, size)
    else:
        assert ctypes.sizeof(struct_of(struct)) == size


def test_structs_have_no_more_members_than_in_c():
    for name in {row.partition(".")[0] for row in LAYOUT}:
        ours = [f"{name}.{field[0]}" for field in struct_of(name)._fields_]
        assert ours == [row for row in LAYOUT if row.startswith(f"{name}.")]


def test_other_peoples_functions_of_ctypes_are_left_alone(run_python):
    code = """
    import ctypes
    from package import cuvec
    cuvec.zeros(3).__dlpack__()
    for name in ("PyCapsule_New", "PyCapsule_GetPointer", "PyObject_GetBuffer", "Py_IncRef"):
        function = getattr(ctypes.pythonapi, name)
        print(function.argtypes, function.restype is ctypes.c_int)
    """
    assert set(run_python(code).splitlines()) == {"None True"}
