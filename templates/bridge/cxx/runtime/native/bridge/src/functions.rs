//! The declared functions, for C++.

use declared::{Argument, MAX_ARGUMENTS, Role, Spec};
use host::functions::{Dtypes, Function, Number, Plan, Scalar};

use crate::bridge::{self, Array, DType, ParameterKind, Stream};
use crate::error::{Error, Result, call};
use crate::memory::Block;

/// All functions, in the order of their names.
pub fn functions() -> Result<Vec<bridge::Function>> {
    call(|| {
        let functions = host::functions::all()?;
        Ok(functions.iter().map(|f| described(&f.spec)).collect())
    })
}

fn described(spec: &Spec) -> bridge::Function {
    let parameter = |argument: &Argument| bridge::Parameter {
        name: argument.name.to_owned(),
        kind: match argument.role {
            Role::Scalar => ParameterKind::Number,
            Role::Result if argument.is_number => ParameterKind::NumberResult,
            Role::Result => ParameterKind::Result,
            Role::In | Role::InOut | Role::Out => ParameterKind::Array,
        },
        keyword_only: argument.keyword_only,
        fallback: argument.default_text().unwrap_or_default(),
        type_text: spec.type_text(argument),
    };
    bridge::Function {
        name: spec.name.to_owned(),
        signature: spec.signature.to_owned(),
        doc: spec.doc.to_owned(),
        parameters: spec.arguments.iter().map(parameter).collect(),
    }
}

/// One call, step by step: its arrays, its numbers, the rest of the checks, and the work.
pub struct Invocation {
    function: &'static Function,
    /// At the places of their arguments.
    arrays: Vec<Option<host::Array>>,
    scalars: [Scalar; MAX_ARGUMENTS],
    dtypes: Option<Dtypes>,
    plan: Option<Plan<'static>>,
    numbers: Vec<Number>,
}

/// Begins a call of the function at a place of the table.
pub fn invoke(function: usize) -> Result<Box<Invocation>> {
    call(|| {
        let function = host::functions::all()?.get(function);
        let function = function.ok_or_else(|| Error::value("there is no such function"))?;
        let mut arrays = Vec::new();
        arrays.resize_with(function.spec.arguments.len(), || None);
        Ok(Box::new(Invocation {
            function,
            arrays,
            scalars: [Scalar::default(); MAX_ARGUMENTS],
            dtypes: None,
            plan: None,
            numbers: Vec::new(),
        }))
    })
}

impl Invocation {
    pub fn give(&mut self, parameter: usize, array: &Array) {
        self.arrays[parameter] = Some(array.to_host());
    }

    /// Looks at the dtypes of the arrays. Numbers have their defaults then.
    pub fn choose(&mut self) -> Result<()> {
        call(|| {
            let spec = &self.function.spec;
            for (argument, array) in spec.parameters().iter().zip(&self.arrays) {
                if argument.role != Role::Scalar && array.is_none() {
                    return Err(Error::missing(argument.name));
                }
            }
            let dtypes = self.function.dtypes(&views(&self.arrays))?;
            for (argument, scalar) in spec.parameters().iter().zip(&mut self.scalars) {
                if let Some(default) = argument.default {
                    let value = Scalar::declared(default, dtypes.of(argument));
                    *scalar = value.unwrap_or_default(); // all defaults fit
                }
            }
            self.dtypes = Some(dtypes);
            Ok(())
        })
    }

    /// The dtype of a parameter, once the dtypes of the arrays are known.
    pub fn dtype(&self, parameter: usize) -> DType {
        let argument = &self.function.spec.arguments[parameter];
        let dtypes = self.dtypes.as_ref().expect("dtypes are chosen first");
        DType::of(dtypes.of(argument))
    }

    /// Takes a number; whether its dtype can hold it.
    pub fn give_integer(&mut self, parameter: usize, negative: bool, magnitude: u64) -> bool {
        let magnitude = i128::from(magnitude);
        let value = if negative { -magnitude } else { magnitude };
        let dtype = self.dtype(parameter).to_host();
        self.keep(parameter, Scalar::integer(value, dtype))
    }

    pub fn give_real(&mut self, parameter: usize, value: f64) -> bool {
        let dtype = self.dtype(parameter).to_host();
        self.keep(parameter, Scalar::real(value, dtype))
    }

    pub fn give_complex(&mut self, parameter: usize, real: f64, imaginary: f64) -> bool {
        let dtype = self.dtype(parameter).to_host();
        self.keep(parameter, Scalar::complex(real, imaginary, dtype))
    }

    fn keep(&mut self, parameter: usize, scalar: Option<Scalar>) -> bool {
        self.scalars[parameter] = scalar.unwrap_or_default();
        scalar.is_some()
    }

    /// Checks all that is left to be checked.
    pub fn check(&mut self) -> Result<Vec<bridge::Missing>> {
        call(|| {
            let dtypes = self.dtypes.expect("dtypes are chosen first");
            let arrays = views(&self.arrays);
            let plan = self.function.plan(&arrays, &self.scalars, dtypes)?;
            let missing = plan.missing.iter().map(|missing| bridge::Missing {
                parameter: missing.argument,
                dtype: DType::of(missing.dtype),
                shape: missing.shape.clone(),
            });
            let missing = missing.collect();
            self.plan = Some(plan);
            Ok(missing)
        })
    }

    /// Memory for one of the missing results, by its place among them.
    pub fn allocate(&self, index: usize) -> Result<Box<Block>> {
        call(|| {
            let plan = self.plan();
            Ok(Box::new(Block(plan.missing[index].allocate(plan)?)))
        })
    }

    pub fn run(&mut self, stream: Stream) -> Result<()> {
        call(|| {
            let arrays = views(&self.arrays);
            let stream = stream.to_host();
            self.numbers = self.plan().run(&arrays, &self.scalars, stream)?;
            Ok(())
        })
    }

    /// A result that is a number, once the call has run.
    pub fn number(&self, parameter: usize) -> bridge::Value {
        let found = |number: &&Number| number.argument == parameter;
        let number = self.numbers.iter().find(found);
        number.map_or_else(
            || bridge::Value {
                dtype: self.dtype(parameter),
                bytes: [0; 16],
            },
            |number| bridge::Value {
                dtype: DType::of(number.dtype),
                bytes: number.value.to_bytes(),
            },
        )
    }

    fn plan(&self) -> &Plan<'static> {
        self.plan
            .as_ref()
            .expect("a call is checked before it runs")
    }
}

fn views(arrays: &[Option<host::Array>]) -> [Option<&host::Array>; MAX_ARGUMENTS] {
    let mut views = [None; MAX_ARGUMENTS];
    for (view, array) in views.iter_mut().zip(arrays) {
        *view = array.as_ref();
    }
    views
}

/// Has long work on the CPU look for signals.
pub fn watch_for_interrupts() {
    host::interrupt::register(bridge::is_interrupted);
}
