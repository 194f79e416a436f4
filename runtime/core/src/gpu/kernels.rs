//! The images of the kernels, and the kernels in them.

mod report;

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_void};
use std::ptr;
use std::sync::Arc;

use cudarc::driver::{CudaContext, result, sys};
use cuvec_spec::c;
use report::Reports;

use super::stream::Stream;
use crate::device::driver_version;
use crate::error::{Error, Kind, Result};
use crate::library;

/// One GPU's copy of the kernels. It lives as long as the process.
pub(super) struct Kernels {
    /// In the order of the images' lists.
    functions: Vec<sys::CUfunction>,
    pub reports: Reports,
}

// SAFETY: handles of CUDA's, which any thread may use.
unsafe impl Send for Kernels {}
// SAFETY: nothing of it changes, and CUDA takes its handles from several threads at once.
unsafe impl Sync for Kernels {}

impl Kernels {
    /// Loads the images, and compares each kernel with its declaration.
    pub fn load(context: &Arc<CudaContext>) -> Result<Self> {
        context.bind_to_thread()?;
        let (capability, driver) = (context.compute_capability()?, driver_version()?);
        let (mut functions, mut modules) = (Vec::new(), Vec::new());
        for library in library::with_images() {
            // SAFETY: the library is what the build has made.
            let kernels = unsafe { library.kernels() };
            // SAFETY: PTX, which ends with a zero.
            let image = unsafe { CStr::from_ptr(library.image) };
            if !is_for(image, capability) {
                // Functions that are for later GPUs alone say so when they are called.
                functions.resize(functions.len() + kernels.len(), ptr::null_mut());
                continue;
            }
            let image = newest(image, capability, driver);
            // SAFETY: PTX, which ends with a zero.
            let module = unsafe { result::module::load_data(image.as_ptr().cast()) }?;
            for kernel in kernels {
                functions.push(function(module, kernel, functions.len())?);
            }
            modules.push(module);
        }
        Ok(Self {
            functions,
            reports: Reports::of(&modules)?,
        })
    }

    /// Launches a kernel.
    ///
    /// # Safety
    /// The parameters must match the kernel.
    pub unsafe fn launch(&self, stream: Stream, launch: &c::Launch) -> Result<()> {
        // SAFETY: a kernel of the library that was loaded.
        let index = unsafe { (*launch.kernel).index } as usize;
        let function = self.functions.get(index).copied();
        let function = function
            .filter(|it| !it.is_null())
            .ok_or_else(no_such_kernel)?;
        // SAFETY: the caller's.
        unsafe { start(function, stream, launch) }
    }
}

/// Bytes of shared memory that a block may have without being allowed more.
const SHARED: u32 = 48 << 10;

/// Launches a function of a module.
///
/// # Safety
/// The parameters must match the function.
pub(super) unsafe fn start(
    function: sys::CUfunction,
    stream: Stream,
    launch: &c::Launch,
) -> Result<()> {
    let mut bytes = launch.bytes;
    let mut parameters: [*mut c_void; 5] = [
        ptr::without_provenance_mut(sys::CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT as usize),
        launch.parameters.cast_mut(),
        ptr::without_provenance_mut(sys::CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT as usize),
        (&raw mut bytes).cast(),
        ptr::without_provenance_mut(sys::CU_LAUNCH_PARAM_END_AS_INT as usize),
    ];
    if launch.shared > SHARED {
        // SAFETY: the caller's.
        unsafe { allow_shared(function, launch.shared) }?;
    }
    // SAFETY: the caller's.
    unsafe {
        sys::cuLaunchKernel(
            function,
            launch.blocks[0],
            launch.blocks[1],
            launch.blocks[2],
            launch.threads[0],
            launch.threads[1],
            launch.threads[2],
            launch.shared,
            stream.raw(),
            ptr::null_mut(),
            parameters.as_mut_ptr(),
        )
    }
    .result()?;
    Ok(())
}

/// Lets a block of the function have so many bytes of shared memory. It takes little, and the last one counts.
///
/// # Safety
/// It must be one of a live module.
unsafe fn allow_shared(function: sys::CUfunction, bytes: u32) -> Result<()> {
    let attribute = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    // SAFETY: the caller's.
    unsafe { sys::cuFuncSetAttribute(function, attribute, bytes as i32) }.result()?;
    Ok(())
}

#[cold]
fn no_such_kernel() -> Error {
    Kind::Kernel(
        "there is no such kernel: the package was built without CUDA, or for later GPUs".to_owned(),
    )
    .into()
}

/// The kernel of a module, if its place in the lists and its parameters are those that its declaration says.
fn function(
    module: sys::CUmodule,
    kernel: &'static c::Kernel,
    index: usize,
) -> Result<sys::CUfunction> {
    // SAFETY: the library is what the build has made, here and below.
    let [name, function, file] = unsafe { kernel.names() }.map_err(Kind::Unavailable)?;
    let wrong = |what: &str| {
        Error::from(Kind::Unavailable(format!(
            "{file}: the kernel `{name}` of function `{function}` {what}; its PTX is of other sources: \
             build the package again"
        )))
    };
    if usize::try_from(kernel.index) != Ok(index) {
        return Err(wrong("is in another place of the list"));
    }
    let mut found = ptr::null_mut();
    // SAFETY: a live module, and a string of C.
    let code = unsafe { sys::cuModuleGetFunction(&raw mut found, module, kernel.name) };
    match code {
        sys::CUresult::CUDA_ERROR_NOT_FOUND => return Err(wrong("is not in the PTX")),
        code => code.result()?,
    }
    // SAFETY: the driver is loaded, and this is a function of it.
    let Ok(ask) = (unsafe { sys::culib().get::<ParameterInfo>(b"cuFuncGetParamInfo\0") }) else {
        return Ok(found); // it is of CUDA 12.3 or earlier, which cannot tell
    };
    // SAFETY: the library's own list, which lives as long as the process.
    for (index, declared) in unsafe { kernel.parameters() }.iter().enumerate() {
        let declared = (declared.offset as usize, declared.size as usize);
        // SAFETY: a function of a live module.
        let has = unsafe { parameter(*ask, found, index) };
        if has != Some(declared) {
            return Err(wrong(&format!(
                "has {has:?} as the place and the bytes of parameter {index}, and is declared with \
                 {declared:?}"
            )));
        }
    }
    Ok(found)
}

type ParameterInfo =
    unsafe extern "C" fn(sys::CUfunction, usize, *mut usize, *mut usize) -> sys::CUresult;

/// Where a parameter is, and its bytes. One that is asked for and is not there is an error of CUDA's,
/// which its sanitizer reports: nobody asks what is behind the last one.
///
/// # Safety
/// The function must be one of a live module.
unsafe fn parameter(
    ask: ParameterInfo,
    function: sys::CUfunction,
    index: usize,
) -> Option<(usize, usize)> {
    let (mut offset, mut size) = (0, 0);
    // SAFETY: the caller's.
    let code = unsafe { ask(function, index, &raw mut offset, &raw mut size) };
    (code == sys::CUresult::CUDA_SUCCESS).then_some((offset, size))
}

/// Checks whether a GPU of this compute capability runs the image: PTX for it or earlier
/// ones.
fn is_for(image: &CStr, (major, minor): (i32, i32)) -> bool {
    target(image.to_bytes()).is_none_or(|oldest| oldest <= 10 * major + minor)
}

/// Instructions of later GPUs, which PTX has behind those that all have.
struct Newer {
    /// Is in front of them.
    mark: &'static str,
    /// The first GPUs and the first driver that have them.
    capability: (i32, i32),
    driver: i32,
    /// The head of the PTX says so then. The text of a target would pass for code of the package's functions, which `doctor` looks
    /// for.
    version: &'static str,
    target: &'static str,
}

const NEWER: [Newer; 2] = [
    Newer {
        mark: " // from sm_80: ",
        capability: (8, 0),
        driver: 11000,
        version: "version 7.0",
        target: "sm_80",
    },
    Newer {
        mark: " // from sm_89: ",
        capability: (8, 9),
        driver: 12010,
        version: "version 8.1",
        target: "sm_89",
    },
];

/// The PTX that a GPU of this compute capability gets of this driver.
fn newest(image: &CStr, capability: (i32, i32), driver: i32) -> Cow<'_, CStr> {
    let mut text = image.to_string_lossy();
    let (mut version, mut target) = match text.contains("version 7.0") {
        true => (NEWER[0].version, NEWER[0].target), // a file with tensor cores
        false => ("version 6.3", "sm_75"),
    };
    for newer in &NEWER {
        if capability >= newer.capability && driver >= newer.driver && text.contains(newer.mark) {
            let lines = text.lines();
            let lines = lines.map(|line| line.split_once(newer.mark).map_or(line, |it| it.1));
            let lines: String = lines.flat_map(|line| [line, "\n"]).collect();
            let lines = lines.replacen(version, newer.version, 1);
            text = lines.replacen(target, newer.target, 1).into();
            (version, target) = (newer.version, newer.target);
        }
    }
    match text {
        Cow::Borrowed(_) => image.into(),
        Cow::Owned(text) => CString::new(text).expect("no zero is in it").into(),
    }
}

/// The number of the line `.target sm_80`.
fn target(text: &[u8]) -> Option<i32> {
    let mut lines = text.split(|&byte| byte == b'\n');
    let number = lines.find_map(|line| line.strip_prefix(b".target sm_"))?;
    str::from_utf8(number).ok()?.trim_end().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{is_for, newest};

    #[test]
    fn an_image_is_for_its_target_and_later_ones() {
        let image = c"// .target sm_99\n.version 7.0\r\n.target sm_80\r\n.address_size 64\n";
        let capabilities = [(7, 5), (8, 0), (8, 6), (10, 0)];
        let runs = capabilities.map(|gpu| is_for(image, gpu));
        assert_eq!(runs, [false, true, true, true]);
    }

    #[test]
    fn a_later_gpu_gets_its_own_instructions() {
        let image =
            c".version 6.3\r\n.target sm_75\r\nadd a; add b; // from sm_80: both a, b;\r\nret;\r\n";
        assert_eq!(&*newest(image, (7, 5), 12040), image);
        let newer = c".version 7.0\n.target sm_80\nboth a, b;\nret;\n";
        assert_eq!(&*newest(image, (8, 0), 11000), newer);
        assert_eq!(&*newest(image, (12, 1), 13000), newer);
        let two = c".version 6.3\n.target sm_75\na; // from sm_80: b;\nc; // from sm_89: d;\n";
        assert_eq!(
            &*newest(two, (9, 0), 12000),
            c".version 7.0\n.target sm_80\nb;\nc; // from sm_89: d;\n"
        );
        let newest_of_two = c".version 8.1\n.target sm_89\nb;\nd;\n";
        assert_eq!(&*newest(two, (9, 0), 12010), newest_of_two);
        let on_tensor_cores = c".version 7.0\n.target sm_80\nc; // from sm_89: d;\n";
        assert_eq!(
            &*newest(on_tensor_cores, (8, 9), 12010),
            c".version 8.1\n.target sm_89\nd;\n"
        );
    }
}
