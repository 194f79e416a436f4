//! The notation of NumPy's generalized functions: `(m,n),(n)->(m)`.

use super::{Fault, Read, Reader};
use crate::declaration::{
    Argument, Declaration, Extent, Kind, Outcome, Role, Shape, Type, Variable,
};
use crate::dtype::DType;

impl Reader<'_> {
    pub(super) fn shapes(mut self, name: &str, dtypes: &[DType]) -> Read<Declaration> {
        let inputs = self.list()?;
        self.need(&["->"])?;
        let outputs = self.list()?;
        self.end()?;
        let mut declaration = Declaration {
            name: name.to_owned(),
            variables: vec![Variable {
                name: "T".to_owned(),
                dtypes: dtypes.to_vec(),
                is_shared: false,
                at: 0,
            }],
            structs: Vec::new(),
            arguments: Vec::new(),
            results: Vec::new(),
        };
        let shapes = inputs.iter().chain(&outputs);
        let dimensions: Vec<_> = shapes
            .flat_map(|(it, _)| &it.extents)
            .flat_map(Extent::names)
            .collect();
        let letters = match &*inputs {
            [_] => "xabcdefghijklmnopqrstuvw",
            // As for a matrix and a vector.
            [(a, _), (x, _)] if a.extents.len() != x.extents.len() => "axbcdefghijklmnopqrstuvw",
            _ => "abcdefghijklmnopqrstuvwx",
        };
        let free = |it: &String| it != name && !dimensions.contains(&it.as_str());
        let mut names = letters.chars().map(String::from).filter(free);
        for (shape, at) in &inputs {
            let too_many = || Fault::new(*at, "too many arguments", "write the whole declaration");
            declaration.arguments.push(Argument {
                name: names.next().ok_or_else(too_many)?,
                dtype: Type::Variable(0),
                kind: Kind::Array {
                    role: Role::In,
                    shape: shape.clone(),
                    is_optional: false,
                },
                default: None,
                keyword_only: false,
                at: *at,
            });
        }
        for (shape, at) in outputs {
            let is_number = shape == Shape::default();
            declaration.results.push(Outcome {
                name: String::new(),
                dtype: Type::Variable(0),
                shape: (!is_number).then_some(shape),
                is_saved: false,
                at,
            });
        }
        Ok(declaration)
    }

    fn list(&mut self) -> Read<Vec<(Shape, usize)>> {
        let mut found = Vec::new();
        loop {
            self.peek();
            let at = self.at;
            self.need(&["("])?;
            found.push((self.shape(")")?, at));
            if !self.take(",") {
                return Ok(found);
            }
        }
    }
}
