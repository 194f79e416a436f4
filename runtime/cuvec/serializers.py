"""How Dask's processes send each other arrays, and how they put them aside on a disk.

For `distributed` a CuVec is an ndarray, and is one when it arrives, unless both sides have imported this.
"""

from typing import Any

import numpy as np

from .array import CuVec
from .copying import restore, slowest_first
from .memory import buffer_of
from .optional import library

_Frames = list[Any]
_protocol = library("distributed.protocol", "Dask's distributed", "distributed")
_dumps_ndarray = _protocol.dask_serialize.dispatch(np.ndarray)
_loads_ndarray = _protocol.dask_deserialize.dispatch(np.ndarray)


def _dumps(x: CuVec) -> tuple[dict[str, Any], _Frames]:
    """Return what is sent: the elements in the order that they have in memory."""
    axes = slowest_first(x, "K")
    header, frames = _dumps_ndarray(x.view(np.ndarray).transpose(axes))
    block = buffer_of(x)
    ours = {
        "axes": axes,
        "memory": None if block is None else block.memory,
        "writeable": x.flags.writeable,
    }
    return {"ndarray": header, **ours}, frames


def _loads(header: dict[str, Any], frames: _Frames) -> Any:
    """Return a copy in our memory; what was not in our memory is an ndarray."""
    array = _loads_ndarray(header["ndarray"], frames)
    if header["memory"] is not None:
        array = restore(array, CuVec, header["memory"])
        array.flags.writeable = header["writeable"]
    return array.transpose(np.argsort(header["axes"]).tolist())


_protocol.dask_serialize.register(CuVec, _dumps)
_protocol.dask_deserialize.register(CuVec, _loads)
