//! Declarations of functions for Python: tuples of plain values, read by `cuvec/declaration.py`.

use cuvec_core::functions::{Function, Source, Step};
use cuvec_spec::{
    Argument, DType, DefaultValue, Extent, Layout, Number, Role, Shape, Spec, Term, Type,
};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyTuple};

/// `(name, signature, doc, loops, allow_cuda_graph, variables, arguments, results, derivative)`.
///
/// A direction is `in`, `inout`, `out` or, of a result that only the derivative sees, `saved`. `loops` says whether leading dimensions belong to a loop, `allow_cuda_graph` whether a CUDA graph may have calls. `variables` is a dict of tuples of dtypes. An argument is `(name, dtype, direction, shape, keyword_only,
/// default, at_most, is_optional, choices, layout, items, chooses)`, the last the variable whose dtype it is, its layout `strided`, `rows` or empty: the shape is None for a scalar, else a tuple of sizes; the default is a tuple of one value, or
/// empty. A size is `(text, terms)`: its terms in postfix notation are numbers, names of dimensions and the
/// letters `+-*/`, where the last rounds down. Leading dimensions come first, as `("...", ())`.
///
/// `derivative` is a tuple of steps, `(gradients, function, arguments)`: the names of the arguments whose
/// gradients the results of the function are, and `(parameter, kind, value)` for each argument of the call: the
/// index of a `"value"` among all arguments and results, the index of the result of a `"gradient"`, or a `"number"`.
pub fn of<'py>(py: Python<'py>, function: &Function) -> PyResult<Bound<'py, PyTuple>> {
    let spec = &function.spec;
    let variables = PyDict::new(py);
    for variable in spec.variables {
        let dtypes = variable.dtypes.iter().map(|dtype| dtype.name());
        variables.set_item(variable.name, PyTuple::new(py, dtypes)?)?;
    }
    let all = |arguments: &[Argument]| {
        let arguments = arguments.iter().map(|it| argument(py, spec, it));
        PyTuple::new(py, arguments.collect::<PyResult<Vec<_>>>()?)
    };
    let steps = function.derivative.iter().map(|it| step(py, spec, it));
    let derivative = PyTuple::new(py, steps.collect::<PyResult<Vec<_>>>()?)?;
    (
        spec.name,
        spec.signature,
        function.description(),
        spec.loops,
        spec.allow_cuda_graph,
        variables,
        all(spec.parameters())?,
        all(&spec.arguments[spec.parameters().len()..])?,
        derivative,
    )
        .into_pyobject(py)
}

fn step<'py>(py: Python<'py>, spec: &Spec, step: &Step) -> PyResult<Bound<'py, PyTuple>> {
    let gradients = step.gradients.iter().map(|it| spec.arguments[*it].name);
    let passed = |&(parameter, source): &(usize, Source)| {
        let (kind, value) = match source {
            Source::Value(index) => ("value", index.into_pyobject(py)?.into_any()),
            Source::Gradient(index) => {
                let result = index - spec.parameters().len();
                ("gradient", result.into_pyobject(py)?.into_any())
            }
            Source::Number(it) => ("number", number(py, it)?),
        };
        let parameter = step.function.arguments[parameter].name;
        (parameter, kind, value).into_pyobject(py)
    };
    let arguments = step.arguments.iter().map(passed);
    let arguments = PyTuple::new(py, arguments.collect::<PyResult<Vec<_>>>()?)?;
    (PyTuple::new(py, gradients)?, step.function.name, arguments).into_pyobject(py)
}

fn number<'py>(py: Python<'py>, number: Number) -> PyResult<Bound<'py, PyAny>> {
    Ok(match number {
        Number::Integer(value) => value.into_pyobject(py)?.into_any(),
        Number::Real(value) => value.into_pyobject(py)?.into_any(),
    })
}

fn argument<'py>(py: Python<'py>, spec: &Spec, it: &Argument) -> PyResult<Bound<'py, PyTuple>> {
    let dtype = spec.dtype_text(it.dtype);
    let direction = match it.role {
        Role::Scalar | Role::In => "in",
        Role::InOut => "inout",
        Role::Result if it.is_saved => "saved",
        Role::Out | Role::Result => "out",
    };
    let is_scalar = it.role == Role::Scalar || it.is_number;
    let shape = match it.shape {
        _ if is_scalar => py.None().into_bound(py),
        Shape { leading, extents } => {
            let leading = leading.then(|| ("...", PyTuple::empty(py)).into_pyobject(py));
            let sizes = extents.iter().map(|size| self::size(py, spec, size));
            let sizes = leading.into_iter().chain(sizes);
            PyTuple::new(py, sizes.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
    };
    let default = match it.default {
        Some(value) => PyTuple::new(py, [default(py, value, it)?])?,
        None => PyTuple::empty(py),
    };
    let (name, by_name, is_optional) = (it.name, it.keyword_only, it.is_optional);
    let choices = PyTuple::new(py, it.choices)?;
    let layout = match it.layout {
        Layout::Contiguous if spec.walks() && it.role != Role::Scalar => "strided",
        Layout::Contiguous => "",
        Layout::Rows => "rows",
        Layout::Strided => "strided",
    };
    let argument = (
        name,
        dtype,
        direction,
        shape,
        by_name,
        default,
        it.at_most,
        is_optional,
        choices,
        layout,
        it.items,
        it.chooses
            .map_or("", |variable| spec.variables[variable].name),
    );
    argument.into_pyobject(py)
}

fn default<'py>(
    py: Python<'py>,
    value: DefaultValue,
    it: &Argument,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(match (value, it.dtype) {
        (DefaultValue::Nothing, _) => py.None().into_bound(py),
        (DefaultValue::Items(items), _) => {
            let item = |item: &Number| default(py, DefaultValue::Number(*item), it);
            PyTuple::new(py, items.iter().map(item).collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        (DefaultValue::Number(Number::Integer(index)), _) if !it.choices.is_empty() => {
            it.choices[index as usize].into_pyobject(py)?.into_any()
        }
        (DefaultValue::Number(Number::Integer(value)), Type::Fixed(DType::Bool)) => {
            PyBool::new(py, value != 0).to_owned().into_any()
        }
        (DefaultValue::Number(value), _) => number(py, value)?,
    })
}

fn size<'py>(py: Python<'py>, spec: &Spec, size: &Extent) -> PyResult<Bound<'py, PyTuple>> {
    let sign = |sign: &'static str| Ok(sign.into_pyobject(py)?.into_any());
    let term = |term: &Term| match *term {
        Term::Number(number) => Ok(number.into_pyobject(py)?.into_any()),
        Term::Dimension(index) => sign(spec.dimensions[index].name),
        Term::Add => sign("+"),
        Term::Subtract => sign("-"),
        Term::Multiply => sign("*"),
        Term::Divide => sign("/"),
    };
    let terms = size.0.iter().map(term).collect::<PyResult<Vec<_>>>()?;
    (size.text(spec.dimensions), PyTuple::new(py, terms)?).into_pyobject(py)
}
