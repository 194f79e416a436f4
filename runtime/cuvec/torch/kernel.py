"""The kernels of an operator, and those for shapes only; also the overload that writes its result to ``out=``."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ..declaration import Argument, Declaration
from ..derivative import Derivative
from ..extents import Extents, Shape, check_value
from ..memory import name_of
from ..optional import library
from ..record import from_numbers

torch: Any = library("torch", "PyTorch", "torch")
if not hasattr(torch.library, "register_autograd"):
    raise ImportError(
        f"PyTorch {torch.__version__} is too old: pip install 'torch>=2.4'", name="torch"
    )

# A handle; the public way to it makes a Python object first, which costs as much as a launch.
stream_of: Callable[[int], int] = getattr(
    torch._C,
    "_cuda_getCurrentRawStream",
    lambda index: torch.cuda.current_stream(index).cuda_stream,
)


def has_no_notation(argument: Argument) -> bool:
    """Return whether the default is one that PyTorch has no notation for: it is None there.

    So are infinite ones, dtypes, and the defaults of tuples: it writes the numbers of a list as a dtype of its own.
    """
    default = argument.default
    is_special = isinstance(default, float) and not math.isfinite(default)
    return isinstance(default, tuple) or is_special or bool(argument.chooses)


def given(argument: Argument, value: Any) -> Any:
    """Return the value that an argument has in an operator, as the function takes it."""
    if argument.is_struct:
        return from_numbers(argument, value)
    return argument.default if value is None and has_no_notation(argument) else value


class Kernel:
    """A declared function on tensors.

    PyTorch's dispatcher passes what has no default by position, and leaves out what is the default.
    """

    def __init__(self, function: Callable[..., Any], declaration: Declaration) -> None:
        self.function = function
        self.declaration = declaration
        self.extents: Extents = Extents(declaration)
        self.names: list[str] = [it.name for it in declaration.arguments]
        self.defaults: dict[str, Any] = {it.name: it.default for it in declaration.arguments}
        self.arrays: list[str] = [it.name for it in declaration.arrays]
        arguments = declaration.arguments
        self._by_position = declaration.positional
        self._finds_size = bool(declaration.found)
        self._chooses = any(it.chooses for it in arguments)
        self._by_name = [it for it in arguments if it.keyword_only]
        self._differs = any(it.optional or it.is_struct or has_no_notation(it) for it in arguments)
        # Written arrays are passed as they are, and so are those that may have strides.
        self.as_they_are: set[str] = {
            it.name for it in declaration.arrays if it.written or it.layout
        }
        self.tensors: list[tuple[int, bool]] = [
            (position, it.written)
            for position, it in enumerate(self._by_position)
            if it.shape is not None
        ]
        always = [it for it in enumerate(declaration.arrays) if not it[1].optional]
        decides: dict[str, int | str] = {it.dtype: number for number, it in reversed(always)}
        decides |= {it.chooses: it.name for it in arguments if it.chooses}
        decides |= {f"real({dtype})": number for dtype, number in decides.items()}
        self.dtypes: list[tuple[int | str, bool, Any]] = [
            (decides[it.dtype], it.dtype.startswith("real("), None)
            if it.dtype.removeprefix("real(").rstrip(")") in declaration.variables
            else (0, False, getattr(torch, it.dtype))
            for it in declaration.results
        ]
        self._shapes = lru_cache(64)(self._calculate)  # programs repeat themselves
        self.named: list[str] = [it.name for it in declaration.arrays if it.keyword_only]
        self.makes_nothing: bool = not declaration.results and not self.named
        self.written: list[int] = [position for position, writes in self.tensors if writes]

    def cpu(self, *args: Any, device: Any = None, **kwargs: Any) -> Any:
        """Run the operator on tensors of the CPU, and wait."""
        if device is not None:
            self._refuse_device()
        return self._run(*self._complete(args, kwargs), None)

    def cuda(self, *args: Any, device: Any = None, **kwargs: Any) -> Any:
        """Run the operator on PyTorch's current stream."""
        if device is not None:
            self._refuse_device()
        args, kwargs = self._complete(args, kwargs)
        first = args[self.tensors[0][0]] if self.tensors else None
        index = -1 if first is None else first.get_device()
        if index < 0:  # one on the CPU, or none, among others
            values = self._values(args, kwargs)
            given = [values[name] for name in self.arrays]
            index = max(it.get_device() for it in given if it is not None)
        stream = stream_of(index)
        if self.makes_nothing and self._can_be_passed_on(args):
            self.function(*args, **kwargs, stream=stream)
            return None
        return self._run(args, kwargs, stream)

    def without_tensors(self, *args: Any, device: Any = None, **kwargs: Any) -> Any:
        """Run an operator that is called without tensors; the device is the CPU if none is given."""
        args, kwargs = self._complete(args, kwargs)
        shapes = self._shapes((None,) * len(self.arrays), self._sizes(args, kwargs))
        out = self._results([], shapes, self._chosen(args, kwargs), device or "cpu")
        if out[0].is_meta:
            return _returned(out)
        index = out[0].get_device()
        return self._call(args, kwargs, out, None if index < 0 else stream_of(index))

    def fake(self, *args: Any, device: Any = None, **kwargs: Any) -> Any:
        """Return tensors like those that the operator would, or raise what it would."""
        values = self._values(args, kwargs)
        tensors = {name: values[name] for name in self.arrays if values[name] is not None}
        values = {it.name: given(it, values[it.name]) for it in self.declaration.arguments}
        self.declaration.dtypes({name: name_of(it.dtype) for name, it in tensors.items()}, values)
        shapes = {name: tensor.shape for name, tensor in tensors.items()}
        results = self.extents.results_of(shapes, values, _check_traced)
        if self.declaration.found:
            results = [
                (torch.library.get_ctx().new_dynamic_size(), *shape[1:]) if it.at_most else shape
                for it, shape in zip(self.declaration.results, results, strict=True)
            ]
        like = [tensors.get(name) for name in self.arrays]
        chosen = self.declaration.chosen(values)
        return _returned(self._results(like, results, chosen, device or "cpu"))

    def _refuse_device(self) -> None:
        name = self.declaration.name
        raise ValueError(f"device is for calls of {name} without tensors; leave it out")

    def _complete(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments with their defaults, as the function takes them, if that may be another way."""
        if not self._differs:
            return args, kwargs
        values = self._values(args, kwargs)
        by_name = {it.name: given(it, values[it.name]) for it in self._by_name}
        return tuple([given(it, values[it.name]) for it in self._by_position]), by_name

    def _can_be_passed_on(self, args: Sequence[Any]) -> bool:
        """Return whether the function takes the tensors as they are. It checks what is written."""
        for position, writes in self.tensors:
            tensor = args[position]
            if tensor is None:
                continue
            passes = writes or self.names[position] in self.as_they_are or tensor.is_contiguous()
            if tensor.requires_grad or not passes:
                return False
        return True

    def _run(self, args: Sequence[Any], kwargs: dict[str, Any], stream: int | None) -> Any:
        out: list[Any] = []
        if self.declaration.results:
            tensors = [args[position] for position, _ in self.tensors]
            tensors += [kwargs[name] for name in self.named]
            given = tuple([None if tensor is None else tensor.shape for tensor in tensors])
            shapes = self._shapes(given, self._sizes(args, kwargs))
            out = self._results(tensors, shapes, self._chosen(args, kwargs))
        plain = list(args)
        for position, _ in self.tensors:
            plain[position] = self._plain(self.names[position], args[position])
        for name in self.named:
            kwargs = {**kwargs, name: self._plain(name, kwargs[name])}
        return self._call(plain, kwargs, out, stream)

    def _call(
        self, args: Sequence[Any], kwargs: dict[str, Any], out: list[Any], stream: int | None
    ) -> Any:
        if out:
            kwargs = {**kwargs, "out": out[0] if len(out) == 1 else tuple(out)}
        returned = self.function(*args, **kwargs, stream=stream)
        if not self._finds_size:
            return _returned(out)
        return tuple(returned) if isinstance(returned, tuple) else returned  # as much as there is

    def _plain(self, name: str, tensor: Any) -> Any:
        """Return a tensor without a derivative, or a copy in the order of C if the function takes no other."""
        if tensor is None:
            return None
        if tensor.requires_grad:
            tensor = tensor.detach()
        return tensor if name in self.as_they_are else tensor.contiguous()

    def _values(self, args: Sequence[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
        return {**self.defaults, **dict(zip(self.names, args, strict=False)), **kwargs}

    def _chosen(self, args: Sequence[Any], kwargs: dict[str, Any]) -> dict[str, str]:
        """Return the dtypes that arguments choose, which are complete."""
        return self.declaration.chosen(self._values(args, kwargs)) if self._chooses else {}

    def _sizes(self, args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[int, ...]:
        """Return the numbers that give sizes."""
        names = self.extents.numbers_that_give_sizes
        if not names:
            return ()
        values = self._values(args, kwargs)
        return tuple(values[name] for name in names)

    def _calculate(
        self, given: tuple[Shape | None, ...], numbers: tuple[int, ...]
    ) -> list[tuple[int, ...]]:
        """Return the shapes of the results from the tensors' shapes, and from `_sizes`."""
        named = zip(self.arrays, given, strict=True)
        shapes = {name: shape for name, shape in named if shape is not None}
        values = dict(zip(self.extents.numbers_that_give_sizes, numbers, strict=True))
        sizes = self.extents.sizes(shapes, values, check_value)
        return self.extents.results(shapes, sizes, check_value)

    def _results(
        self,
        tensors: Sequence[Any],
        shapes: Sequence[Shape],
        chosen: Mapping[str, str],
        device: Any = None,
    ) -> list[Any]:
        """Return the tensors for the results, whose elements are not set."""
        first = next((it for it in tensors if it is not None), None)
        on = {} if first is not None else {"device": device}
        empty = torch.empty if first is None else first.new_empty  # takes a third less time

        def decided(like: int | str, is_real: bool) -> Any:
            dtype = getattr(torch, chosen[like]) if isinstance(like, str) else tensors[like].dtype
            return dtype.to_real() if is_real and dtype.is_complex else dtype

        return [
            empty(shape, dtype=dtype or decided(like, is_real), **on)
            for (like, is_real, dtype), shape in zip(self.dtypes, shapes, strict=True)
        ]


def _returned(out: list[Any]) -> Any:
    if not out:
        return None
    return out[0] if len(out) == 1 else tuple(out)


def _check_traced(condition: Any, message: str) -> None:
    """Check what may only be known when the traced program runs."""
    torch._check_value(condition, lambda: message)


def writing(declaration: Declaration) -> Declaration | None:
    """Return the declaration of the overload, whose argument `out` is the result.

    None where there are several results, or one of a size that the function finds.
    """
    if len(declaration.results) != 1 or declaration.found:
        return None
    out = replace(declaration.results[0], name="out", direction="out", keyword_only=True)
    arguments = (*declaration.arguments, out)
    return replace(declaration, arguments=arguments, results=(), derivative=Derivative(()))


class Into(Kernel):
    """Return what the overload runs; `made` is the kernel of the operator that makes a tensor."""

    def __init__(self, made: Kernel, declaration: Declaration) -> None:
        super().__init__(made.function, declaration)
        self._made = made

    def fake(self, *args: Any, device: Any = None, **kwargs: Any) -> None:
        """Raise what the operator would."""
        out = kwargs.pop("out")
        made = self._made.fake(*args, **kwargs, device=device or out.device)
        if out.dtype != made.dtype:
            raise TypeError(f"out has dtype {out.dtype}, but must have {made.dtype}")
        if tuple(out.shape) != tuple(made.shape):
            raise ValueError(f"out has shape {tuple(out.shape)}, but must have {tuple(made.shape)}")
