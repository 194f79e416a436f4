"""Random declarations that `cuvec-new add` takes. Names are words of C, C++, CUDA, Python and packages wherever they may be."""

from random import Random

DTYPES = (
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32"),
    *("float64", "complex64", "complex128"),
)
FUNCTIONS = (
    *("norm", "erfc", "log", "abs", "div", "index", "time", "signal", "exit", "main", "alloca", "printf", "free"),
    *("y0", "max", "min", "swap", "move_to", "vector", "array", "function", "string", "plus", "rsqrt", "saturate"),
    *("clock", "print", "len", "range", "id", "bytes", "list", "dict", "set", "map", "iter", "next", "open"),
    *("hash", "all", "any", "numba", "cupy", "scipy", "random", "math", "register_autograd", "specs"),
    *("array_factory", "blas", "version"),
)
ARGUMENTS = (
    *("norm", "max", "index", "alloca", "stdin", "time", "size", "data", "begin", "end", "function", "vector"),
    *("string", "uint", "size_t", "dim3", "float4", "signature", "doc", "each", "gpu", "cpu", "grid"),
    *("values", "torch", "print", "len", "list", "str", "type_of", "x8", "x9", "f", "T1", "N"),
    *("a_name_of_thirty_and_one_letter",),
)
SIZES = ("n", "m", "3", "n+1", "2*n", "n*m", "(n+m)/2", "n-1", "count", "(count+2)*n")
CHOICES = (
    *("a", "max", "double", "and", "linux", "NCHW", "None", "class", "stdin", "int64", "Mode", "sum", "f32", "is", "T"),
)
HIDDEN = ("str",)  # types of Rust, which no option is called
DEFAULTS = {
    "b": ("True", "False", "1"),
    "i": ("0", "1", "-1", "100", "True"),
    "u": ("0", "3", "127"),
    "f": ("0.5", "1e-3", "-2", "6.5e1"),
    "c": ("1", "0.25"),
}


def declarations(count: int, seed: int = 0) -> list[str]:
    """So many, the same for the same seed, each with another name."""
    random = Random(seed)
    names = [*FUNCTIONS, *(f"fn{number}" for number in range(count))]
    return [declaration(random, name) for name in names[:count]]


def declaration(random: Random, name: str) -> str:
    """An array `x` gives `n`, `m` and the dtypes of variables, and `count` is an integer."""
    variables = random.sample(("T", "U"), random.randrange(3))
    choices = {variable: random.sample(DTYPES, random.randint(1, 2)) for variable in variables}
    free = [word for word in random.sample(ARGUMENTS, len(ARGUMENTS)) if word != name]

    def dtype() -> str:
        return random.choice([*choices, *choices, random.choice(DTYPES)])

    def shape() -> str:
        return f"({','.join(random.choices(SIZES, k=random.randrange(4)))})"

    def number() -> str:
        chosen = random.choice(DTYPES)
        default = random.choice(DEFAULTS[chosen[0]])
        return f"{free.pop()}: {chosen}" + random.choice(("", f" = {default}"))

    def option() -> str:
        name = next(word for word in reversed(free) if word not in HIDDEN)
        free.remove(name)
        texts = random.sample([text for text in CHOICES if text != name], random.randint(1, 4))
        shown = ", ".join(f"'{text}'" for text in texts)
        return f"{name}: {{{shown}}}" + random.choice(("", f" = '{texts[-1]}'"))

    def items() -> str:
        chosen, count = random.choice(DTYPES), random.randint(1, 3)
        default = ", ".join(random.choice(DEFAULTS[chosen[0]]) for _ in range(count))
        return f"{free.pop()}: {chosen}[{count}]" + random.choice(("", f" = ({default},)"))

    arrays = [f"x{i}: {variable}(n,m)" for i, variable in enumerate(choices)] or [f"x0: {random.choice(DTYPES)}(n,m)"]
    arrays += [
        f"{free.pop()}: {random.choice(('', 'inout ', 'out '))}{dtype()}{shape()}" for _ in range(random.randrange(3))
    ]
    optional = [f"{free.pop()}: {dtype()}{shape()}" for _ in range(random.randrange(2))]
    if random.random() < 0.3:  # an element at a time
        optional = [f"{array.partition('(')[0]}(...)" for array in optional]
        arrays = [f"{array.partition('(')[0]}(...)" for array in arrays]
        results = [f"{dtype()}(...)"]
    else:
        results = [
            random.choice(("", f"{free.pop()}: ")) + dtype() + random.choice(("", shape()))
            for _ in range(random.randint(1, 3))
        ]
    others = random.choices((number, option, items), k=random.randrange(3))
    named = ["count: int64 = 2", *(other() for other in others)]
    named += [array + random.choice(("?", "? = None")) for array in optional]
    chosen = ", ".join(f"{variable}: {', '.join(dtypes)}" for variable, dtypes in choices.items())
    given = f"<{chosen}>" if chosen else ""
    return f"{name}{given}({', '.join(arrays)}, *, {', '.join(named)}) -> {', '.join(results)}"
