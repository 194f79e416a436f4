//! The Python module `_core`: Python objects in, calls of [`cuvec_core`] out.

mod api;
mod argument;
mod autograd;
mod buffer;
mod buffer_protocol;
mod cuda_array_interface;
mod cupy;
mod device;
mod dlpack;
mod error;
mod finalization;
mod functions;
mod hook;
mod ndarray;
mod numpy;
mod read;
mod stream;
mod struct_dtype;
mod subclass;
mod xla;

/// Functions and memory of the package, in native code.
#[pyo3::pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use crate::buffer::{Buffer, array_of};
    #[pymodule_export]
    use crate::device::{assign, dev_set, dev_sync, device, empty_cache, memory_stats};
    #[pymodule_export]
    use crate::functions::{Object, check_number, choice, similar_name, struct_bytes};
    #[pymodule_export]
    use crate::hook::{set_adapters, set_converter};
    #[pymodule_export]
    use crate::numpy::set_array_class;
    #[pymodule_export]
    use crate::subclass::refuse_subclass;
    #[pymodule_export]
    use crate::xla::xla_handler;

    use pyo3::prelude::*;
    use pyo3::types::IntoPyDict;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::error::hide_panics_without_memory();
        crate::read::rehearse(module.py())?;
        // Pickle and help() look a class up where it says it is from.
        for class in ["Buffer", "Object"] {
            let class = crate::finalization::named(module.as_any().as_borrowed(), class)?;
            #[expect(clippy::disallowed_methods, reason = "a class of ours")]
            class.setattr("__module__", module.name()?)?;
        }
        crate::functions::add_to(module)?;
        crate::struct_dtype::add_to(module)?;
        let dtypes = cuvec_spec::DType::ALL.map(|it| (it.typestr(), it.xla()));
        module.add("dtypes", dtypes.into_py_dict(module.py())?)?;
        crate::api::add_to(module)
    }
}
