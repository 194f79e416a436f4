"""What Python shows of a declared function."""

from .structs import CoreFunction, CoreParameter

RESULT = 2  # the first kind of result

_OUT = """out : array, or a tuple of them, optional
    For the results, instead of new arrays. A number stays on the GPU in an array of
    shape ().
"""
_STREAM = """stream : int or stream object, optional
    Run on this CUDA stream and do not wait. Arrays in host memory are waited for.
"""
_NOTES = """
Arrays are any objects with `__dlpack__`, `__cuda_array_interface__` or the buffer
protocol, C-contiguous; those that are written must not overlap with others."""


def signature_of(row: CoreFunction) -> str:
    """Return ``(a, x, y, *, stream=None)``."""
    parameters = row.parameters[: row.count]
    given = [it for it in parameters if it.kind < RESULT]
    texts = [_with_default(it) for it in given if not it.keyword_only]
    texts += ["*", *(_with_default(it) for it in given if it.keyword_only)]
    if len(given) < row.count:
        texts.append("out=None")
    return f"({', '.join([*texts, 'stream=None'])})"


def docstring_of(row: CoreFunction) -> str:
    """Return what the owner wrote, and the parameters."""
    given = [it for it in row.parameters[: row.count] if it.kind < RESULT]
    results = [it for it in row.parameters[: row.count] if it.kind >= RESULT]
    text = row.doc.decode() + "\n\nParameters\n----------\n"
    for it in given:
        default = f", default {it.fallback.decode()}" if it.fallback else ""
        text += f"{it.name.decode()} : {_describe(it)}{default}\n"
    text += (_OUT if results else "") + _STREAM
    if results:
        text += "\nReturns\n-------\n"
    for it in results:
        name = f"{it.name.decode()} : " if it.name else ""
        text += f"{name}{_describe(it)}\n"
    return f"{text}\nNotes\n-----\nDeclared as ``{row.signature.decode()}``.{_NOTES}"


def _with_default(parameter: CoreParameter) -> str:
    name, fallback = parameter.name.decode(), parameter.fallback.decode()
    return f"{name}={fallback}" if fallback else name


def _describe(parameter: CoreParameter) -> str:
    declared: str = parameter.type.decode()
    dtype, parenthesis, extents = declared.partition("(")
    if not parenthesis:
        return dtype
    shape = "any shape" if extents == "...)" else f"shape ({extents}"
    return f"array of {dtype}, {shape}"
