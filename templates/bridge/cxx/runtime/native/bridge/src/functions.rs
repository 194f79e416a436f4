//! The declared functions, for C++.

use std::array;

use declared::{Argument, Role, Spec};
use host::functions::{Dtypes, FEW, Function, Number, Plan, Scalar};

use crate::bridge::{self, Array, DType, Given, Missing, ParameterKind, Real, Stream};
use crate::error::{Result, call};
use crate::memory::Block;
use crate::per_argument::PerArgument;

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

/// A whole call of a function without results, with what it needs on the stack.
pub fn run_at_once(
    function: usize,
    given: &[Given],
    reals: &[Real],
    stream: &Stream,
) -> Result<bool> {
    call(|| {
        let function = &host::functions::all()?[function];
        let arguments = function.spec.arguments;
        if arguments.len() > FEW {
            return Ok(false);
        }
        let mut arrays: [_; FEW] = array::from_fn(|_| None); // writes what says that, and nothing more
        for given in given {
            let Some(array) = given.array.lend_to_host() else {
                return Ok(false);
            };
            arrays[given.parameter] = Some(array);
        }
        let arrays = arrays.each_ref().map(Option::as_deref);
        let arrays = &arrays[..arguments.len()];
        let mut dtypes = Dtypes::default();
        function.dtypes(arrays, &mut dtypes)?;
        let mut scalars = [Scalar::default(); FEW];
        for (parameter, argument) in arguments.iter().enumerate() {
            if argument.role != Role::Scalar {
                continue;
            }
            let (place, dtype) = (&mut scalars[parameter], dtypes.of(argument));
            let is_taken = match reals.iter().find(|real| real.parameter == parameter) {
                Some(real) if dtype.kind() == 'f' => put(place, Scalar::real(real.value, dtype)),
                Some(_) => false,
                None => put(place, default_of(argument, dtype)),
            };
            if !is_taken {
                return Ok(false);
            }
        }
        let scalars = &scalars[..arguments.len()];
        let plan = function.plan(arrays, scalars, dtypes)?;
        plan.run(arrays, scalars, stream.to_host())?;
        Ok(true)
    })
}

/// Puts a number, if there is one, at its place. Returns whether there is.
fn put(place: &mut Scalar, number: Option<Scalar>) -> bool {
    number.map(|number| *place = number).is_some()
}

/// The default of an argument.
fn default_of(argument: &Argument, dtype: host::DType) -> Option<Scalar> {
    Scalar::declared(argument.default?, dtype)
}

/// One call, step by step: its arrays, its numbers, the rest of the checks, and the work.
pub struct Invocation {
    function: &'static Function,
    arrays: PerArgument<Option<host::Array>>,
    scalars: PerArgument<Scalar>,
    dtypes: Dtypes,
    plan: Option<Plan<'static>>,
    numbers: Box<[Number]>,
}

/// Begins a call of the function at a place of the table.
pub fn begin(function: usize, given: &[Given]) -> Result<Box<Invocation>> {
    call(|| {
        let function = &host::functions::all()?[function];
        let count = function.spec.arguments.len();
        // Written where it is to be: `Box::new` makes it elsewhere, and copies.
        let place = Box::new_uninit();
        let new = Invocation {
            function,
            arrays: PerArgument::default(),
            scalars: PerArgument::default(),
            dtypes: Dtypes::default(),
            plan: None,
            numbers: Box::default(),
        };
        let mut call = Box::write(place, new);
        call.arrays.fill(count);
        call.scalars.fill(count);
        let arrays = &mut *call.arrays;
        for given in given {
            arrays[given.parameter] = Some(given.array.to_host());
        }
        function.dtypes(&call.arrays.as_refs(), &mut call.dtypes)?;
        Ok(call)
    })
}

impl Invocation {
    /// The dtype of a parameter.
    pub fn dtype(&self, parameter: usize) -> DType {
        DType::of(self.host_dtype(parameter))
    }

    fn host_dtype(&self, parameter: usize) -> host::DType {
        self.dtypes.of(&self.function.spec.arguments[parameter])
    }

    pub fn give_default(&mut self, parameter: usize) {
        let argument = &self.function.spec.arguments[parameter];
        let default = default_of(argument, self.host_dtype(parameter));
        self.keep(parameter, default); // all defaults fit
    }

    /// Takes a number; whether its dtype can hold it.
    pub fn give_integer(&mut self, parameter: usize, negative: bool, magnitude: u64) -> bool {
        let magnitude = i128::from(magnitude);
        let value = if negative { -magnitude } else { magnitude };
        let dtype = self.host_dtype(parameter);
        self.keep(parameter, Scalar::integer(value, dtype))
    }

    pub fn give_real(&mut self, parameter: usize, value: f64) -> bool {
        let dtype = self.host_dtype(parameter);
        self.keep(parameter, Scalar::real(value, dtype))
    }

    pub fn give_complex(&mut self, parameter: usize, real: f64, imaginary: f64) -> bool {
        let dtype = self.host_dtype(parameter);
        self.keep(parameter, Scalar::complex(real, imaginary, dtype))
    }

    fn keep(&mut self, parameter: usize, number: Option<Scalar>) -> bool {
        put(&mut self.scalars[parameter], number)
    }

    /// Checks all that is left to be checked. Returns how many results are missing.
    pub fn check(&mut self) -> Result<usize> {
        call(|| {
            let arrays = self.arrays.as_refs();
            let plan = self.function.plan(&arrays, &self.scalars, self.dtypes)?;
            Ok(self.plan.insert(plan).missing.len())
        })
    }

    /// One of the missing results, by its place among them.
    pub fn missing(&self, place: usize) -> Missing {
        let missing = &self.plan().missing[place];
        Missing {
            parameter: missing.argument,
            dtype: DType::of(missing.dtype),
            shape: missing.shape.clone(),
        }
    }

    /// Memory for one of them.
    pub fn allocate(&self, place: usize) -> Result<Box<Block>> {
        call(|| {
            let plan = self.plan();
            Ok(Box::new(Block(plan.missing[place].allocate(plan)?)))
        })
    }

    pub fn give(&mut self, parameter: usize, array: &Array) {
        self.arrays[parameter] = Some(array.to_host());
    }

    pub fn run(&mut self, stream: Stream) -> Result<()> {
        call(|| {
            let arrays = self.arrays.as_refs();
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

/// Has long work on the CPU look for signals.
pub fn watch_for_interrupts() {
    host::interrupt::register(bridge::is_interrupted);
}
