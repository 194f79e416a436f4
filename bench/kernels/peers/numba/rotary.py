"""rotary(x, cosine, sine), in place."""

from numba import cuda
from numba.cuda import float32


@cuda.jit
def rotate_pairs(x, cosine, sine):
    at = cuda.grid(1)
    if at < x.size // 2:
        s, h, d = x.shape[1], x.shape[2], cosine.shape[1]
        i, head, place, sequence = at % d, at // d % h, at // d // h % s, at // d // h // s
        first, second = float32(x[sequence, place, head, i]), float32(x[sequence, place, head, i + d])
        c, e = cosine[place, i], sine[place, i]
        x[sequence, place, head, i] = first * c - second * e
        x[sequence, place, head, i + d] = first * e + second * c


def rotary(x, cosine, sine):
    tables = (x.shape[1], x.shape[3] // 2)
    if x.shape[3] % 2 or cosine.shape != tables or sine.shape != tables:
        raise ValueError("the shapes must be (b,s,h,2*d),(s,d),(s,d)")
    if x.size:
        rotate_pairs[(x.size // 2 + 255) // 256, 256](x, cosine, sine)
