//! Arguments and results.

use cuvec_declare::literal::Value as Number;

use crate::dtype::DType;
use crate::dtype::Struct;
use crate::extent::Extent;

/// Purpose of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A number.
    Scalar,
    /// An array that is read.
    In,
    /// An array that is read and written.
    InOut,
    /// An array that is written, without being read before.
    Out,
    /// As `Out`, but allocated by the host unless the caller gives it.
    Result,
}

impl Role {
    /// True if bodies write to it.
    #[must_use]
    pub const fn is_written(self) -> bool {
        matches!(self, Self::InOut | Self::Out | Self::Result)
    }
}

/// A dtype, as it is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Fixed(DType),
    /// The dtype that this variable of the function has in a call.
    Variable(usize),
    /// The dtype of the real part of numbers of such a dtype: `real(T)`. Of results alone.
    Real(usize),
}

/// The shape of an array, as it is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// True if it begins with `...`: any dimensions, the same for all such arrays of a call. Bodies
    /// get them as one.
    pub leading: bool,
    /// The sizes of the others.
    pub extents: &'static [Extent],
}

impl Shape {
    /// `(...)`: any shape.
    pub const ANY: Self = Self::leading(&[]);

    /// `(m, n)`
    #[must_use]
    pub const fn of(extents: &'static [Extent]) -> Self {
        Self {
            leading: false,
            extents,
        }
    }

    /// `(..., m, n)`
    #[must_use]
    pub const fn leading(extents: &'static [Extent]) -> Self {
        Self {
            leading: true,
            extents,
        }
    }

    /// True if leading dimensions come before others: bodies get rows.
    #[must_use]
    pub const fn has_rows(&self) -> bool {
        self.leading && !self.extents.is_empty()
    }
}

/// How the elements of an array lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// In the order of C.
    Contiguous,
    /// Along the last axis one behind the other; others have any strides.
    Rows,
    /// All axes have any strides.
    Strided,
}

/// Value of an argument that a call leaves out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DefaultValue {
    Number(Number),
    /// Default of a tuple.
    Items(&'static [Number]),
    /// Default of an optional array: Python's None.
    Nothing,
}

/// An argument, or a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Argument {
    /// Empty for a result without a name.
    pub name: &'static str,
    pub role: Role,
    pub dtype: Type,
    /// Empty for a scalar.
    pub shape: Shape,
    pub keyword_only: bool,
    pub default: Option<DefaultValue>,
    /// A result of no extents, which Python gets as a number.
    pub is_number: bool,
    /// A result of which the body says how much there is of its first axis.
    pub at_most: bool,
    /// An argument that is an array, or None.
    pub is_optional: bool,
    /// The strings that an option may be: its scalar is an int32, their index. Others have none.
    pub choices: &'static [&'static str],
    /// The variable that has the dtype which this argument is, an option of the names of dtypes.
    pub chooses: Option<usize>,
    /// A result that only the derivative sees.
    pub is_saved: bool,
    pub layout: Layout,
    /// How many scalars of its dtype a tuple has, one behind the other; others have none.
    pub items: usize,
}

impl Argument {
    /// Its name in messages and in a derivative: a result without one is what the caller passes as `out`.
    #[must_use]
    pub fn shown_name(&self) -> &'static str {
        match self.name {
            "" => "out",
            name => name,
        }
    }

    /// The struct that it is, or an array of.
    #[must_use]
    pub fn structure(&self) -> Option<&'static Struct> {
        match self.dtype {
            Type::Fixed(dtype) => dtype.structure(),
            Type::Variable(_) | Type::Real(_) => None,
        }
    }

    pub(crate) const fn new(name: &'static str, role: Role, dtype: Type, shape: Shape) -> Self {
        Self {
            name,
            role,
            dtype,
            shape,
            keyword_only: false,
            default: None,
            is_number: false,
            at_most: false,
            is_optional: false,
            choices: &[],
            chooses: None,
            is_saved: false,
            layout: Layout::Contiguous,
            items: 0,
        }
    }

    #[must_use]
    pub const fn scalar(name: &'static str, dtype: Type) -> Self {
        Self::new(name, Role::Scalar, dtype, Shape::of(&[]))
    }

    #[must_use]
    pub const fn input(name: &'static str, dtype: Type, shape: Shape) -> Self {
        Self::new(name, Role::In, dtype, shape)
    }

    #[must_use]
    pub const fn inout(name: &'static str, dtype: Type, shape: Shape) -> Self {
        Self::new(name, Role::InOut, dtype, shape)
    }

    #[must_use]
    pub const fn output(name: &'static str, dtype: Type, shape: Shape) -> Self {
        Self::new(name, Role::Out, dtype, shape)
    }

    #[must_use]
    pub const fn result(name: &'static str, dtype: Type, shape: Shape) -> Self {
        Self::new(name, Role::Result, dtype, shape)
    }

    /// Given by name only.
    #[must_use]
    pub const fn keyword_only(mut self) -> Self {
        self.keyword_only = true;
        self
    }

    /// With a default.
    #[must_use]
    pub const fn or(mut self, default: Number) -> Self {
        self.default = Some(DefaultValue::Number(default));
        self
    }

    /// One of these texts.
    #[must_use]
    pub const fn option(name: &'static str, choices: &'static [&'static str]) -> Self {
        let mut option = Self::scalar(name, Type::Fixed(DType::I32));
        option.choices = choices;
        option
    }

    /// The dtype of a variable, which has these.
    #[must_use]
    pub const fn dtype(
        name: &'static str,
        variable: usize,
        dtypes: &'static [&'static str],
    ) -> Self {
        let mut dtype = Self::option(name, dtypes);
        dtype.chooses = Some(variable);
        dtype
    }

    /// A tuple of so many scalars.
    #[must_use]
    pub const fn tuple(name: &'static str, dtype: Type, items: usize) -> Self {
        let mut tuple = Self::scalar(name, dtype);
        tuple.items = items;
        tuple
    }

    /// An array that may be None.
    #[must_use]
    pub const fn optional(mut self) -> Self {
        self.is_optional = true;
        self
    }

    /// A result of which the body says how much there is.
    #[must_use]
    pub const fn at_most(mut self) -> Self {
        self.at_most = true;
        self
    }

    /// A result that Python gets as a number.
    #[must_use]
    pub const fn as_number(mut self) -> Self {
        self.is_number = true;
        self
    }

    /// With this layout.
    #[must_use]
    pub const fn laid_out(mut self, layout: Layout) -> Self {
        self.layout = layout;
        self
    }

    /// A result that only the derivative sees.
    #[must_use]
    pub const fn saved(mut self) -> Self {
        self.is_saved = true;
        self
    }
}
