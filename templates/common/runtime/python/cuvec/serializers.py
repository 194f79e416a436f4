"""How Dask's processes send each other arrays, and how they put them aside on a disk.

For `distributed` a CuVec is an ndarray, and is one when it arrives, unless both sides have imported this.
"""

from typing import Any

import numpy as np
from distributed.protocol.serialize import dask_deserialize, dask_serialize

from .array import CuVec
from .copying import restore, slowest_first
from .memory import buffer_of

_Frames = list[Any]
_of_ndarrays = dask_serialize.dispatch(np.ndarray), dask_deserialize.dispatch(np.ndarray)


@dask_serialize.register(CuVec)  # type: ignore[untyped-decorator]
def _dumps(x: CuVec) -> tuple[dict[str, Any], _Frames]:
    """Return what is sent: the elements in the order that they have in memory."""
    axes = slowest_first(x, "K")
    dumps, _ = _of_ndarrays
    header, frames = dumps(x.view(np.ndarray).transpose(axes))
    block = buffer_of(x)
    ours = {
        "axes": axes,
        "memory": None if block is None else block.memory,
        "writeable": x.flags.writeable,
    }
    return {"ndarray": header, **ours}, frames


@dask_deserialize.register(CuVec)  # type: ignore[untyped-decorator]
def _loads(header: dict[str, Any], frames: _Frames) -> Any:
    """Return a copy in our memory; what was not in our memory is an ndarray."""
    _, loads = _of_ndarrays
    array = loads(header["ndarray"], frames)
    if header["memory"] is not None:
        array = restore(array, CuVec, header["memory"])
        array.flags.writeable = header["writeable"]
    return array.transpose(np.argsort(header["axes"]).tolist())
