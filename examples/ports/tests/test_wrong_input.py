"""Wrong input that some programs did not check before."""

import numpy as np
import pytest

from ports import accelerations, convolve, cuvec, distances, flatfield, joint_histogram

PICTURE, WEIGHTS, BODIES = cuvec.ones((6, 6)), cuvec.ones((3, 3)), cuvec.ones((5, 3))


@pytest.mark.parametrize(
    ("error", "match", "call"),
    [
        (TypeError, "dtype", lambda: convolve(PICTURE, cuvec.ones((3, 3), "float64"))),
        (TypeError, "float32 or float64", lambda: distances(np.ones((4, 2), "int64"))),
        (TypeError, "float32", lambda: joint_histogram(np.ones(4), np.ones(4))),
        (ValueError, "odd", lambda: convolve(PICTURE, cuvec.ones((2, 3)))),
        (ValueError, "contiguous", lambda: convolve(PICTURE, WEIGHTS, out=PICTURE[:, ::2])),
        (ValueError, "dimension|axes", lambda: distances(cuvec.ones(4))),
        (ValueError, "broadcast", lambda: flatfield(PICTURE, PICTURE, WEIGHTS)),
        (ValueError, "same shape", lambda: joint_histogram(PICTURE, WEIGHTS)),
        (ValueError, "n", lambda: accelerations(BODIES, cuvec.ones(4))),
        (ValueError, "3", lambda: accelerations(cuvec.ones((5, 2)), cuvec.ones(5))),
        (ValueError, "positive", lambda: accelerations(BODIES, cuvec.ones(5), 0)),
        (ValueError, "overlap", lambda: convolve(PICTURE, WEIGHTS, out=PICTURE)),
        (ValueError, "bins", lambda: joint_histogram(PICTURE, PICTURE, -1)),
        (OverflowError, "softening", lambda: accelerations(BODIES, cuvec.ones(5), 1e300)),
        (TypeError, "array|buffer", lambda: distances([[1, 2], [3]])),
    ],
)
def test_is_refused(error, match, call):
    with pytest.raises(error, match=match):
        call()
