//! A declared function, and what its calls look up often.

use std::borrow::Cow;
use std::slice;
use std::sync::Arc;

use cuvec_spec::doc::Doc;
use cuvec_spec::{Argument, DefaultValue, Layout, Number, Role, Spec, Type};

use super::arguments::{ArgumentSet, Arrays, Scalars};
use super::scalar::Scalar;
use crate::array::Array;
use crate::error::{Kind, Result};
use crate::fork::Once;
use crate::memory::Expectation;

/// Value passed to a function that calculates gradients. Arguments precede results, as in a spec.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// An argument or a result, by its index.
    Value(usize),
    /// The gradient of a result, by its index.
    Gradient(usize),
    Number(Number),
}

/// A call of a function whose results are gradients of arguments, in this order.
#[derive(Clone, Debug)]
pub struct Step {
    pub gradients: Vec<usize>,
    pub function: Spec,
    /// Each with the index of the parameter.
    pub arguments: Vec<(usize, Source)>,
}

/// A function of the package.
#[derive(Debug)]
pub struct Function {
    pub spec: Spec,
    /// How its derivative is calculated; empty if it declares none.
    pub derivative: Vec<Step>,
    /// Documentation by its author.
    pub(super) doc: Doc,
    /// How messages name the arguments.
    names: Vec<Cow<'static, str>>,
    /// The same function for bodies that call it.
    part: Once<Box<Self>>,
    /// The index of the first result, behind all parameters.
    first_result: usize,
    /// All but the scalars among the parameters.
    pub(super) arrays: ArgumentSet,
    /// Arguments with a size that is not a dimension by itself.
    pub(super) computed: ArgumentSet,
    /// Arguments, and the axes there, whose sizes give dimensions that no axis is by itself: `m+1` gives `m`.
    pub(super) solved: Vec<(usize, usize)>,
    /// Arrays whose leading dimensions bodies get as one, before others.
    pub(super) folded: ArgumentSet,
    /// Arrays that are declared `strided` or `rows`.
    pub(super) laid_out: ArgumentSet,
    /// Dtypes, each for a variable.
    choosers: ArgumentSet,
    /// A bit for each variable that optional arrays have: it is the first of its dtypes if nothing else decides.
    pub(super) optional_variables: u32,
    /// Arrays that are written.
    pub(super) written: ArgumentSet,
    /// Results that are scalars, unless the caller passes an array for them.
    pub(super) scalar_results: ArgumentSet,
    /// Results of which the body says how much there is.
    pub(super) counted: ArgumentSet,
    /// Structs, and arrays of such.
    structs: ArgumentSet,
    /// Where the items of a tuple begin among the scalars, or the bytes of a struct, for each argument and behind the last.
    slots: Vec<usize>,
    /// Where each result is used.
    expectations: Box<[Arc<Expectation>]>,
    /// A constructor's class has these.
    pub methods: Vec<Self>,
    /// A method's dimensions that the object knows, and their places among what it knows.
    pub(super) fixed: Vec<(usize, usize)>,
    /// How many of a method's variables, the first, have the dtypes that its object was constructed for.
    pub(super) fixed_variables: usize,
}

impl Function {
    /// The name of a method's class.
    pub(super) fn class(&self) -> &'static str {
        let name = self.spec.name;
        name.split_once('.').map_or(name, |(class, _)| class)
    }

    #[must_use]
    pub fn new(spec: Spec) -> Self {
        let is_computed = |argument: &Argument| {
            let mut extents = argument.shape.extents.iter();
            extents.any(|extent| extent.dimension().is_none())
        };
        let set = |is_meant: &dyn Fn(&Argument) -> bool| -> ArgumentSet {
            let arguments = spec.arguments.iter().enumerate();
            let meant = arguments.filter(|(_, argument)| is_meant(argument));
            meant.map(|(index, _)| index).collect()
        };
        Self {
            spec,
            derivative: Vec::new(), // which is read when all functions are known
            doc: Doc::default(),    // and so is this, for both may be wrong
            names: names(&spec),
            part: Once::new(),
            first_result: spec.parameters().len(),
            arrays: set(&|argument| argument.role != Role::Scalar),
            computed: set(&is_computed),
            solved: spec.solved_axes(),
            folded: set(&|argument| argument.shape.has_rows()),
            laid_out: set(&|argument| argument.layout != Layout::Contiguous),
            choosers: set(&|argument| argument.chooses.is_some()),
            optional_variables: optional_variables(&spec),
            written: set(&|argument| argument.role.is_written()),
            scalar_results: set(&|argument| argument.is_number),
            counted: set(&|argument| argument.at_most),
            structs: set(&|argument| argument.structure().is_some()),
            slots: slots(spec.arguments),
            expectations: spec.results().iter().map(|_| Arc::default()).collect(),
            methods: Vec::new(),
            fixed: Vec::new(),
            fixed_variables: 0,
        }
        .with_methods()
    }

    fn with_methods(mut self) -> Self {
        let methods = self.spec.class.map_or(&[][..], |class| class.methods);
        let known = known(&self.spec);
        let method = |spec: &Spec| {
            let mut method = Self::new(*spec);
            let dimensions = spec.dimensions.iter().enumerate();
            let free = dimensions.filter(|(_, it)| it.scalar.is_none());
            let place = |name| known.iter().position(|it| *it == name);
            let fixed = free.filter_map(|(index, it)| Some((index, place(it.name)?)));
            method.fixed = fixed.collect();
            let shared = spec.variables.iter().zip(self.spec.variables);
            method.fixed_variables = shared.take_while(|(own, its)| own == its).count();
            let is_fixed = |dimension| method.fixed.iter().any(|(it, _)| Some(*it) == dimension);
            method.solved.retain(|&(argument, axis)| {
                let extent = spec.arguments[argument].shape.extents[axis];
                !is_fixed(extent.solvable())
            });
            method
        };
        self.methods = methods.iter().map(method).collect();
        self
    }

    /// Every default fits into every dtype that its argument may have.
    pub(super) fn check_defaults(&self) -> Result<()> {
        for argument in self.spec.arguments {
            let numbers = match &argument.default {
                Some(DefaultValue::Number(number)) => slice::from_ref(number),
                Some(DefaultValue::Items(items)) => items,
                Some(DefaultValue::Nothing) | None => continue,
            };
            let dtypes = self.spec.dtypes_of(argument);
            let pairs = numbers
                .iter()
                .flat_map(|number| dtypes.iter().map(move |dtype| (*number, *dtype)));
            let mut unfit =
                pairs.filter(|(number, dtype)| Scalar::declared(*number, *dtype).is_none());
            if let Some((number, dtype)) = unfit.next() {
                let (file, name, dtype) = (self.spec.file, argument.name, dtype.name());
                return Err(Kind::Unavailable(format!(
                    "{file}: the default {name} = {number} does not fit into {dtype}"
                ))
                .into());
            }
        }
        Ok(())
    }

    /// How many scalars a call has room for: the members of tuples and structs come behind one for each argument.
    #[must_use]
    pub fn scalar_count(&self) -> usize {
        self.first_fixed() + self.fixed.len()
    }

    /// Place of the first size that a method's object knows: these come last among the scalars.
    pub(super) fn first_fixed(&self) -> usize {
        self.slots[self.spec.arguments.len()]
    }

    /// Where the items of a tuple, or the bytes of a struct, begin among the scalars.
    #[must_use]
    pub fn slot_of_tuple(&self, argument: usize) -> usize {
        self.slots[argument]
    }

    /// Where the body finds a scalar, a tuple or a struct.
    pub(super) fn address_of(&self, argument: usize, scalars: &Scalars) -> *const u8 {
        match self.slots[argument + 1] - self.slots[argument] {
            0 => scalars[argument].address(),
            _ => scalars[self.slots[argument]..].as_ptr().cast(),
        }
    }

    /// How messages name an argument, as the caller writes it: a result that is given is `out`, or `out[1]`.
    #[must_use]
    pub fn name(&self, argument: usize) -> &str {
        &self.names[argument]
    }

    /// The same function for a body that calls it, which passes results as it does arguments.
    pub(super) fn as_inner(&self) -> &Self {
        let make = || {
            let names = self.spec.arguments.iter().map(Argument::shown_name);
            Box::new(Self {
                names: names.map(Cow::from).collect(),
                ..Self::new(self.spec)
            })
        };
        self.part.get().unwrap_or_else(|| self.part.keep(make()))
    }

    /// Where a result is used.
    pub(super) fn expectation(&self, result: usize) -> &Arc<Expectation> {
        &self.expectations[result - self.first_result]
    }

    /// The arrays that were passed to a call, with their indices.
    pub(super) fn given<'a, 'b>(
        &self,
        arrays: &'b Arrays<'a>,
    ) -> impl Iterator<Item = (usize, &'a Array)> + use<'a, 'b> {
        let arrays = arrays[..self.spec.arguments.len()].iter().enumerate();
        arrays.filter_map(|(index, array)| Some((index, (*array)?)))
    }

    /// The results, with their indices.
    pub(super) fn results(&self) -> impl Iterator<Item = (usize, &'static Argument)> + use<> {
        let first = self.first_result;
        let results = self.spec.arguments[first..].iter().enumerate();
        results.map(move |(index, result)| (first + index, result))
    }

    /// The arguments that are dtypes.
    #[inline]
    pub fn choosers(&self) -> impl Iterator<Item = usize> + use<> {
        self.choosers.iter()
    }

    /// True if an argument is a struct, or an array of such.
    #[must_use]
    pub fn is_struct(&self, argument: usize) -> bool {
        self.structs.has(argument)
    }

    /// True if any argument or result is.
    #[must_use]
    pub(super) fn has_structs(&self) -> bool {
        !self.structs.is_empty()
    }

    /// True if any array is of structs.
    #[must_use]
    pub fn has_arrays_of_structs(&self) -> bool {
        self.structs.iter().any(|it| self.arrays.has(it))
    }

    /// True if any result is.
    #[must_use]
    pub fn returns_structs(&self) -> bool {
        self.structs.iter().any(|it| it >= self.first_result)
    }

    pub(super) fn is_scalar(&self, argument: usize) -> bool {
        self.spec.arguments[argument].role == Role::Scalar
    }
}

/// The names of what methods know of a constructor: its dimensions, and its integers.
pub(super) fn known(constructor: &Spec) -> Vec<&'static str> {
    let dimensions = constructor.dimensions.iter().map(|it| it.name);
    dimensions
        .chain(integers(constructor).map(|(_, name)| name))
        .collect()
}

/// The arguments that are integers, with their names.
pub(super) fn integers(constructor: &Spec) -> impl Iterator<Item = (usize, &'static str)> {
    let arguments = constructor.arguments.iter().enumerate();
    let is_integer = |it: &Argument| {
        let is_single = it.choices.is_empty() && it.items == 0;
        is_single && matches!(it.dtype, Type::Fixed(dtype) if "iu".contains(dtype.kind()))
    };
    arguments
        .filter(move |(_, it)| it.role == Role::Scalar && is_integer(it))
        .map(|(index, it)| (index, it.name))
}

/// How messages name arguments. Results that are saved are given by adapters alone, which know their names.
fn names(spec: &Spec) -> Vec<Cow<'static, str>> {
    let first = spec.parameters().len();
    let shown = spec.results().iter().filter(|it| !it.is_saved).count();
    let name = |(index, argument): (usize, &Argument)| match index.checked_sub(first) {
        Some(place) if !argument.is_saved => match shown {
            1 => "out".into(),
            _ => format!("out[{place}]").into(),
        },
        _ => argument.shown_name().into(),
    };
    spec.arguments.iter().enumerate().map(name).collect()
}

/// Where each argument has scalars of its own, behind one for each of all arguments; and the end of these.
fn slots(arguments: &[Argument]) -> Vec<usize> {
    let count = |argument: &Argument| match argument.structure() {
        Some(structure) if argument.role == Role::Scalar => {
            structure.size.div_ceil(size_of::<Scalar>())
        }
        _ => argument.items,
    };
    let mut slots = vec![arguments.len()];
    for argument in arguments {
        slots.push(slots[slots.len() - 1] + count(argument));
    }
    slots
}

/// A bit for each variable that an optional array has.
fn optional_variables(spec: &Spec) -> u32 {
    let optional = spec.arguments.iter().filter(|it| it.is_optional);
    optional.fold(0, |bits, it| match it.dtype {
        Type::Variable(variable) => bits | 1 << variable,
        _ => bits,
    })
}
