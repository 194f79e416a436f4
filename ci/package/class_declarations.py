"""Files of classes with one fault each, as declarations.py has them of functions."""

from __future__ import annotations

from declarations import OTHER_TYPE, Wrong

CONSTRUCTOR = "wrong(n: int64)"
TAKES = "wrong(Call &, int64) {}"
BODIES = (
    "static void gpu(const wrong &, Call &, In<float>, Out<float>) {}\n"
    "  static void cpu(const wrong &, In<float>, Out<float>) {}"
)
METHOD = "apply(x: float32(n)) -> float32(n)"
LIST = "using methods = Methods<apply>;"


def class_of(
    message: str = "",
    constructor: str = CONSTRUCTOR,
    takes: str = TAKES,
    method: str = METHOD,
    bodies: str = BODIES,
    methods: str = LIST,
) -> Wrong:
    """A class of one method; sound without changes."""
    declared = f'static constexpr auto signature = "{method}";\n  static constexpr auto doc = "";'
    body = f"{takes}\n  struct apply {{\n  {declared}\n  {bodies}\n  }};\n  {methods}"
    return Wrong(message, constructor, body, export="CUVEC_CLASS(wrong);")


CLASSES = {
    "a constructor of other parameters": class_of("has no constructor with the parameters", takes="wrong(Call &) {}"),
    "a constructor with a result": class_of("the constructor of class C has results", "wrong(n: int64) -> int64(n)"),
    "a constructor with a variable": class_of("has dtype variables", "wrong<T: int8, int16>(x: T(n))"),
    "a constructor that is none": class_of("not of the form", "wrong"),
    "a dimension that neither the method nor the constructor gives": class_of(
        "gives this dimension", method="apply(x: float32(n)) -> float32(k)"
    ),
    "a method with each": class_of(
        "a method has `each`", bodies="static __host__ __device__ void each(float x, float &y) { y = x; }"
    ),
    "a method with a derivative": class_of(
        "a method has a derivative", bodies=f'static constexpr auto derivative = "dx = f(dy)";\n  {BODIES}'
    ),
    "a method without a body for the CPU": class_of(
        "neither `each` nor both `gpu` and `cpu`",
        bodies="static void gpu(wrong &, Call &, In<float>, Out<float>) {}",
    ),
    "a method of another class": class_of(
        "another number of parameters", bodies=BODIES.replace("cpu(const wrong &", "cpu(const CudaError &")
    ),
    "a method of another dtype": class_of(
        OTHER_TYPE.replace("cuvec_declared::wrong", "cuvec::detail::Method<wrong, wrong::apply>"),
        bodies=BODIES.replace("cpu(const wrong &, In<float>", "cpu(const wrong &, In<double>"),
    ),
    "methods that are not listed": class_of("class C lists no methods", methods=""),
    "a class of another name": class_of("the signature of wrong has another name", "right(n: int64)"),
}
