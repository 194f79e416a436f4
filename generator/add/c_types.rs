//! Types of C, C++ and CUDA, and the dtypes that arrays of them have.

use cuvec_declare::DType;

/// Type of an element or a scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// A dtype, and how many make one value: three for `float3`, which is a type of CUDA's.
    Dtype {
        dtype: DType,
        count: usize,
    },
    Variable(String),
}

/// Names of the types that the runtime has for a dtype, besides what `number` reads.
const PLAIN: [(&str, &str); 18] = [
    ("bool", "bool"),
    ("float", "float32"),
    ("double", "float64"),
    ("int8_t", "int8"),
    ("uint8_t", "uint8"),
    ("int16_t", "int16"),
    ("uint16_t", "uint16"),
    ("int32_t", "int32"),
    ("uint32_t", "uint32"),
    ("int64_t", "int64"),
    ("uint64_t", "uint64"),
    ("size_t", "uint64"),
    ("ptrdiff_t", "int64"),
    ("ssize_t", "int64"),
    ("uchar", "uint8"),
    ("ushort", "uint16"),
    ("uint", "uint32"),
    ("ulong", "uint64"),
];

/// Names of others with the same bytes, without `std` and the like, and blanks.
const NAMES: [(&str, &str); 13] = [
    ("half", "float16"),
    ("__half", "float16"),
    ("__nv_bfloat16", "bfloat16"),
    ("nv_bfloat16", "bfloat16"),
    ("cuComplex", "complex64"),
    ("cuFloatComplex", "complex64"),
    ("cuDoubleComplex", "complex128"),
    ("cufftComplex", "complex64"),
    ("cufftDoubleComplex", "complex128"),
    ("cufftReal", "float32"),
    ("cufftDoubleReal", "float64"),
    ("complex<float>", "complex64"),
    ("complex<double>", "complex128"),
];

/// How the names of CUDA's floats of eight bits begin, before the bits of exponent and fraction.
const FLOAT8: &str = "__nv_fp8_";

/// The elements of vectors such as `float3`.
const VECTORS: [(&str, &str); 10] = [
    ("char", "int8"),
    ("uchar", "uint8"),
    ("short", "int16"),
    ("ushort", "uint16"),
    ("int", "int32"),
    ("uint", "uint32"),
    ("longlong", "int64"),
    ("ulonglong", "uint64"),
    ("float", "float32"),
    ("double", "float64"),
];

pub fn dtype(name: &str) -> Option<Element> {
    let of = |table: &[(&str, &'static str)], name: &str| {
        let found = table.iter().find(|(it, _)| *it == name);
        found.and_then(|(_, dtype)| DType::named(dtype))
    };
    let flat: String = name.split_whitespace().collect();
    let short = flat.rsplit("::").next().unwrap_or_default();
    let single = number(name)
        .and_then(DType::named)
        .or_else(|| of(&PLAIN, short))
        .or_else(|| of(&NAMES, short))
        .or_else(|| float8(short));
    if let Some(dtype) = single {
        return Some(Element::Dtype { dtype, count: 1 });
    }
    if name == "dim3" {
        let dtype = DType::named("uint32")?;
        return Some(Element::Dtype { dtype, count: 3 });
    }
    let element = name.strip_suffix(['2', '3', '4'])?;
    let count = usize::from(name.as_bytes()[element.len()] - b'0');
    let dtype = of(&VECTORS, element)?;
    Some(Element::Dtype { dtype, count })
}

/// `__nv_fp8_e5m2` and the like.
fn float8(name: &str) -> Option<DType> {
    let start = format!("float8_{}", name.strip_prefix(FLOAT8)?);
    DType::all().find(|it| it.numpy().starts_with(&start))
}

/// `unsigned long long int` and the like, whose words are in any order.
fn number(name: &str) -> Option<&'static str> {
    let words: Vec<_> = name.split_whitespace().collect();
    let count = |word: &str| words.iter().filter(|it| **it == word).count();
    let known = ["unsigned", "signed", "char", "short", "int", "long"];
    if words.is_empty() || !words.iter().all(|it| known.contains(it)) {
        return None;
    }
    let bits = match (count("char"), count("short"), count("long")) {
        (1.., ..) => 0,
        (_, 1.., _) => 1,
        (_, _, 0) => 2,
        _ => 3,
    };
    Some(match count("unsigned") {
        0 => ["int8", "int16", "int32", "int64"][bits],
        _ => ["uint8", "uint16", "uint32", "uint64"][bits],
    })
}

/// Checks whether pointers to it differ from those to the type that the runtime has for its dtype.
pub fn needs_cast(name: &str) -> bool {
    let words: Vec<_> = name.split_whitespace().collect();
    let plain_char = words.contains(&"char") && words.len() == 1;
    let two_words = words.iter().filter(|it| **it == "long").count() == 2;
    let short = name.rsplit("::").next().unwrap_or_default();
    let is_plain = number(name).is_some() || PLAIN.iter().any(|(it, _)| *it == short);
    plain_char || two_words || !is_plain
}

/// The header that has a type, of those that are no part of the languages.
pub fn header(name: &str) -> Option<&'static str> {
    let short = name.rsplit("::").next().unwrap_or_default();
    Some(match short {
        "half" | "__half" => "cuda_fp16.h",
        "__nv_bfloat16" | "nv_bfloat16" => "cuda_bf16.h",
        it if it.starts_with(FLOAT8) => "cuda_fp8.h",
        it if it.starts_with("cu") && it.ends_with("Complex") && !it.starts_with("cufft") => {
            "cuComplex.h"
        }
        it if it.starts_with("cufft") => "cufft.h",
        it if it.starts_with("cublas") => "cublas_v2.h",
        it if it.starts_with("complex<") && name.starts_with("thrust") => "thrust/complex.h",
        it if it.starts_with("complex<") => "complex",
        _ => return None,
    })
}
