//! Rows of the library `_functions` as specs: their signatures are read by `cuvec-declare`.

use cuvec_declare::declaration::{self as declared, Declaration, Kind, Step, Structure};
use cuvec_declare::literal::{DefaultValue as Written, Literal, Value as Number};
use cuvec_declare::read::Known;
use cuvec_declare::{self as declare, checked};

use crate::argument::{Argument, DefaultValue, Layout, Role, Shape, Type};
use crate::c::{self, Library, Row, RowClass, RowField, RowStruct, list, text};
use crate::dtype::{DType, Field, Struct};
use crate::extent::{Dimension, Extent, Term};
use crate::spec::{Class, Spec, Variable};

impl Library {
    /// The functions as specs. What those are made of is never freed.
    ///
    /// # Safety
    /// As for [`c::libraries`].
    ///
    /// # Errors
    /// For a row that says what there is not.
    pub unsafe fn specs(&'static self) -> Result<Vec<Spec>, String> {
        // SAFETY: the caller's.
        let rows = unsafe { self.rows() }?.iter();
        // SAFETY: the caller's.
        rows.map(|row| unsafe { row.spec() }).collect()
    }
}

impl Row {
    /// The function as a spec.
    ///
    /// # Safety
    /// As for [`c::libraries`].
    ///
    /// # Errors
    /// For a row that says what there is not.
    pub unsafe fn spec(&'static self) -> Result<Spec, String> {
        // SAFETY: the caller's.
        unsafe {
            let (mut spec, declaration) = function(self, None)?;
            if !self.constructs.is_null() {
                let class = class(&*self.constructs, &declaration)?;
                let own = |method| Spec {
                    file: spec.file,
                    ..method
                };
                spec.class = Some(Class {
                    methods: kept(class.into_iter().map(own)),
                    destroy: (*self.constructs).destroy,
                });
            }
            Ok(spec)
        }
    }
}

/// The methods of a class.
///
/// # Safety
/// As for [`c::libraries`].
unsafe fn class(row: &'static RowClass, constructor: &Declaration) -> Result<Vec<Spec>, String> {
    // SAFETY: the caller's.
    unsafe {
        let methods = list(row.methods, row.n_methods);
        let methods = methods.ok_or("a class has a wrong number of methods")?;
        let method = |row| Ok(function(row, Some(constructor))?.0);
        methods.iter().map(method).collect()
    }
}

/// A function, or a method of the class that a constructor makes objects of.
///
/// # Safety
/// As for [`c::libraries`].
unsafe fn function(
    row: &'static Row,
    constructor: Option<&Declaration>,
) -> Result<(Spec, Declaration), String> {
    // SAFETY: the caller's.
    unsafe {
        let (name, signature) = (text(row.name)?, text(row.signature)?);
        let broken = |what: &str| format!("the row of function `{name}` has a wrong {what}");
        let structs = list(row.structs, row.n_structs);
        let structs = structs.ok_or_else(|| broken("number of structs"))?;
        let structs = structs.iter().map(|&it| structure(&*it));
        let structs = structs.collect::<Option<Vec<_>>>();
        let structs = &*structs.ok_or_else(|| broken("struct"))?.leak();
        let names: Vec<_> = structs.iter().map(|it| Structure::named(it.name)).collect();
        let known = Known {
            structs: &names,
            ..Known::default()
        };
        let declaration = checked(signature, known, constructor)
            .map_err(|fault| broken(&format!("signature, `{signature}`: {}", fault.problem)))?;
        let variants = list(row.variants, row.n_variants);
        let of = Reader {
            declaration: &declaration,
            dimensions: declaration.dimensions(),
            structs,
        };
        let arguments = of.arguments();
        let spec = Spec {
            name,
            signature,
            doc: text(row.doc)?.trim(),
            file: optional(row.file)?.unwrap_or_default(), // a method's class knows it
            derivative: optional(row.derivative)?.unwrap_or_default(),
            architectures: optional(row.architectures)?,
            loops: row.features & c::EACH != 0 || arguments.iter().any(|it| it.shape.has_rows()),
            allow_cuda_graph: row.features & c::NO_GRAPH == 0,
            arguments,
            dimensions: of.dimensions(),
            variables: of.variables(),
            variants: variants.ok_or_else(|| broken("number of variants"))?,
            class: None,
        };
        Ok((spec, declaration))
    }
}

struct Reader<'a> {
    declaration: &'a Declaration,
    dimensions: Vec<&'a str>,
    structs: &'static [Struct],
}

impl Reader<'_> {
    fn dimensions(&self) -> &'static [Dimension] {
        kept(self.dimensions.iter().map(|name| Dimension {
            name: owned(name),
            scalar: self.declaration.integer(name),
        }))
    }

    fn variables(&self) -> &'static [Variable] {
        let variables = self.declaration.variables.iter();
        kept(variables.map(|it| Variable {
            name: owned(&it.name),
            dtypes: kept(it.dtypes.iter().map(|it| element(*it))),
        }))
    }

    fn arguments(&self) -> &'static [Argument] {
        let arguments = self
            .declaration
            .arguments
            .iter()
            .map(|it| self.argument(it));
        let results = self.declaration.results.iter().map(|it| self.result(it));
        kept(arguments.chain(results))
    }

    fn argument(&self, argument: &declared::Argument) -> Argument {
        let role = match argument.role() {
            None => Role::Scalar,
            Some(declared::Role::In) => Role::In,
            Some(declared::Role::Inout) => Role::InOut,
            Some(declared::Role::Out) => Role::Out,
        };
        let dtypes = self.declaration.dtypes_of(argument.dtype);
        let (dtype, choices) = match &argument.kind {
            Kind::DType => (
                Type::Fixed(DType::I32),
                kept(dtypes.iter().map(|it| it.numpy())),
            ),
            Kind::Option(choices) => (
                Type::Fixed(DType::I32),
                kept(choices.iter().map(|it| owned(&it.text))),
            ),
            _ => (self.dtype(argument.dtype), &[][..]),
        };
        Argument {
            choices,
            chooses: match (&argument.kind, argument.dtype) {
                (Kind::DType, declared::Type::Variable(variable)) => Some(variable),
                _ => None,
            },
            keyword_only: argument.keyword_only,
            default: argument.default.as_ref().map(|it| match it {
                Written::Nothing => DefaultValue::Nothing,
                Written::Number(literal) => DefaultValue::Number(number(literal)),
                Written::Items(items) => DefaultValue::Items(kept(items.iter().map(number))),
                Written::Choice(_) | Written::DType(_) => {
                    let index = self.declaration.choice(argument).unwrap_or_default();
                    DefaultValue::Number(Number::Integer(index as i64))
                }
            }),
            is_optional: argument.is_optional(),
            items: argument.items(),
            ..self.array(&argument.name, role, dtype, argument.shape())
        }
    }

    fn result(&self, result: &declared::Outcome) -> Argument {
        let dtype = self.dtype(result.dtype);
        Argument {
            is_number: result.shape.is_none(),
            is_saved: result.is_saved,
            ..self.array(&result.name, Role::Result, dtype, result.shape.as_ref())
        }
    }

    fn array(
        &self,
        name: &str,
        role: Role,
        dtype: Type,
        shape: Option<&declared::Shape>,
    ) -> Argument {
        let own = Shape {
            leading: shape.is_some_and(|it| it.leading),
            extents: kept(
                shape
                    .iter()
                    .flat_map(|it| &it.extents)
                    .map(|it| self.extent(it)),
            ),
        };
        Argument {
            at_most: shape.is_some_and(|it| it.at_most),
            layout: match shape.map_or("", |it| it.layout) {
                "rows" => Layout::Rows,
                "strided" => Layout::Strided,
                _ => Layout::Contiguous,
            },
            ..Argument::new(owned(name), role, dtype, own)
        }
    }

    fn extent(&self, extent: &declared::Extent) -> Extent {
        let term = |step| match step {
            Step::Number(number) => Term::Number(number),
            Step::Name(name) => {
                let index = self.dimensions.iter().position(|it| *it == name.text);
                Term::Dimension(index.unwrap_or_default())
            }
            Step::Sign('+') => Term::Add,
            Step::Sign('-') => Term::Subtract,
            Step::Sign('*') => Term::Multiply,
            Step::Sign(_) => Term::Divide,
        };
        Extent(kept(extent.postfix().into_iter().map(term)))
    }

    fn dtype(&self, dtype: declared::Type) -> Type {
        match dtype {
            declared::Type::Fixed(dtype) => Type::Fixed(element(dtype)),
            declared::Type::Variable(variable) => Type::Variable(variable),
            declared::Type::Real(variable) => Type::Real(variable),
            declared::Type::Struct(number) => {
                let name = &self.declaration.structs[number].name;
                let known = self.structs.iter().find(|it| it.name == name);
                Type::Fixed(known.map_or(DType::Bool, DType::Struct))
            }
        }
    }
}

/// Both lists have the same order.
fn element(dtype: declare::DType) -> DType {
    DType::ALL[dtype.0]
}

/// Its value, which `check` has seen.
fn number(literal: &Literal) -> Number {
    literal.value().unwrap_or(Number::Integer(0))
}

fn kept<T>(items: impl Iterator<Item = T>) -> &'static [T] {
    items.collect::<Vec<_>>().leak()
}

fn owned(text: &str) -> &'static str {
    text.to_owned().leak()
}

/// # Safety
/// A string of C, for good, or null.
unsafe fn optional(string: *const std::ffi::c_char) -> Result<Option<&'static str>, String> {
    match string.is_null() {
        true => Ok(None),
        // SAFETY: the caller's.
        false => unsafe { text(string) }.map(Some),
    }
}

/// # Safety
/// As for [`c::libraries`].
unsafe fn structure(row: &'static RowStruct) -> Option<Struct> {
    // SAFETY: the caller's.
    let (name, fields) = unsafe { (text(row.name).ok()?, list(row.fields, row.n_fields)?) };
    let field = |field: &RowField| {
        let shape = field.shape.iter().take_while(|&&size| size != 0);
        Some(Field {
            // SAFETY: the caller's.
            name: unsafe { text(field.name) }.ok()?,
            dtype: DType::from_value(field.dtype)?,
            offset: field.offset as usize,
            shape: kept(shape.map(|&size| size as usize)),
        })
    };
    let fields: Vec<_> = fields.iter().map(field).collect::<Option<_>>()?;
    Some(Struct {
        name,
        size: row.size as usize,
        alignment: row.alignment as usize,
        fields: fields.leak(),
    })
}
