//! Which device the package works on, and why.
//!
//! `CUVEC_DEVICE` decides when the first array is made or the first function is called:
//! `auto` (the GPU if there is one), `cuda` (an error if there is none) or `cpu`.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::{env, ptr};

use cudarc::driver::{CudaContext, DriverError, result, sys};

use crate::error::{Error, Kind, Result};
use crate::fork::{self, Inherited, PerProcess};
use crate::gpu::Gpu;
use crate::library::oldest_driver;

/// The version of CUDA whose driver has every function that is called here. `Cargo.toml` names it
/// too, as a feature of cudarc, and so the compiler refuses a later function.
const OLDEST_DRIVER: i32 = 12000;

/// Where a function runs.
#[derive(Clone, Copy)]
pub enum Device {
    Cpu,
    Gpu(&'static Gpu),
}

/// Description of the device by [`describe`].
pub struct Description {
    /// `cuda` or `cpu`.
    pub kind: &'static str,
    /// The current GPU's index.
    pub index: Option<usize>,
    /// The product name.
    pub name: String,
    /// Why this kind of device is used.
    pub reason: String,
}

/// The decision of a process: its GPUs, none on the CPU. A forked process inherits its parent's.
struct Decision {
    gpus: Vec<PerProcess<Gpu>>,
    reason: String,
    forks: usize,
}

impl Decision {
    #[inline(never)]
    fn gpu(&'static self, index: usize) -> Result<&'static Gpu> {
        let slot = self.gpus.get(index).ok_or_else(|| no_such_gpu(index))?;
        if fork::generation() != self.forks {
            return Err(forked_after_use());
        }
        let gpu = slot.get_or_make(|_| Gpu::open(index))?;
        if let Some(known) = KNOWN.get(index) {
            known.store(ptr::from_ref(gpu).cast_mut(), Ordering::Release);
        }
        Ok(gpu)
    }
}

/// The GPUs that were used before, by their index: nearly all calls find theirs here, and look at no
/// decision.
static KNOWN: [AtomicPtr<Gpu>; 16] = [const { AtomicPtr::new(ptr::null_mut()) }; 16];

/// The GPU of this index, if this process has used it before, and that is known.
#[inline]
pub fn known(index: usize) -> Option<&'static Gpu> {
    // SAFETY: null, or a GPU that nobody frees.
    let gpu = unsafe { KNOWN.get(index)?.load(Ordering::Acquire).as_ref() };
    gpu.filter(|gpu| gpu.forks == fork::generation())
}

thread_local! {
    static CURRENT: Cell<usize> = const { Cell::new(0) };
}

/// The device for new arrays and for functions whose arguments name none.
pub fn current() -> Result<Device> {
    let gpu = gpu_if_any(CURRENT.get())?;
    Ok(gpu.map_or(Device::Cpu, Device::Gpu))
}

/// The GPU of this index.
///
/// # Errors
/// `Kind::Value` when there is none, `Kind::Unavailable` in a forked process.
#[inline]
pub fn gpu(index: usize) -> Result<&'static Gpu> {
    known(index).map_or_else(|| decision()?.gpu(index), Ok)
}

/// The same, and none where this process works on the CPU.
///
/// # Errors
/// As for [`gpu`].
pub fn gpu_if_any(index: usize) -> Result<Option<&'static Gpu>> {
    let known = known(index);
    if known.is_some() {
        return Ok(known);
    }
    let decision = decision()?;
    match decision.gpus.is_empty() {
        true => Ok(None),
        false => decision.gpu(index).map(Some),
    }
}

/// Makes the GPU of this index the current one of the calling thread.
pub fn set(index: usize) -> Result<()> {
    let cpu_alone = decision()?.gpus.is_empty() && index == 0;
    if !cpu_alone {
        gpu(index)?;
    }
    CURRENT.set(index);
    Ok(())
}

/// Waits until the current GPU has finished everything.
pub fn synchronize() -> Result<()> {
    match current()? {
        Device::Cpu => Ok(()),
        Device::Gpu(gpu) => gpu.synchronize(),
    }
}

/// The index of the GPU whose memory has `bytes` bytes at `address`.
///
/// # Errors
/// `Kind::Value` when the driver knows no such memory, or less of it.
pub fn locate(address: usize, bytes: usize) -> Result<usize> {
    match current()? {
        Device::Cpu => Err(works_on_the_cpu()?),
        Device::Gpu(gpu) => gpu.locate(address, bytes),
    }
}

pub fn describe() -> Result<Description> {
    let (kind, index, name) = match current()? {
        Device::Cpu => ("cpu", None, env::consts::ARCH.to_owned()),
        Device::Gpu(gpu) => ("cuda", Some(gpu.index), gpu.name.clone()),
    };
    Ok(Description {
        kind,
        index,
        name,
        reason: decision()?.reason.clone(),
    })
}

/// The error for an array in GPU memory where there is none.
#[cold]
pub fn works_on_the_cpu() -> Result<Error> {
    let reason = &decision()?.reason;
    Ok(Error::wrong_value(format_args!(
        "the array is in GPU memory, but this process works on the CPU: {reason}"
    )))
}

#[cold]
fn no_such_gpu(index: usize) -> Error {
    let count = decision().map_or(0, |decision| decision.gpus.len());
    Error::wrong_value(format_args!("there is no GPU {index}: {count} can be used"))
}

#[cold]
fn forked_after_use() -> Error {
    Kind::Unavailable(
        "CUDA cannot be used in a process forked after its first use; \
         use the multiprocessing start method `spawn` or `forkserver`"
            .to_owned(),
    )
    .into()
}

#[inline(never)]
fn decision() -> Result<&'static Decision> {
    static DECISION: PerProcess<Arc<Decision>> = PerProcess::new();
    let setting = || env::var("CUVEC_DEVICE").unwrap_or_default();
    let decision = DECISION.get_or_make(|inherited| match inherited {
        Inherited::Whole(decision) => Ok(decision.clone()),
        Inherited::Nothing => decide(&setting(), probe).map(Arc::new),
        // The driver may be half started, with locks of its own that nobody will open.
        Inherited::Unfinished if oldest_driver().is_some() && setting() != "cpu" => {
            Err(forked_after_use())
        }
        Inherited::Unfinished => decide(&setting(), probe).map(Arc::new),
    })?;
    Ok(decision)
}

/// Applies the setting of `CUVEC_DEVICE` to what `probe` finds: a number of GPUs, or why
/// there are none.
fn decide(setting: &str, probe: impl FnOnce() -> Result<usize, String>) -> Result<Decision> {
    let (gpus, reason) = match setting {
        "cpu" => (0, "CUVEC_DEVICE is cpu".to_owned()),
        "" | "auto" | "cuda" => match probe() {
            Ok(gpus) => (
                gpus,
                format!("{gpus} GPU{} found", if gpus == 1 { "" } else { "s" }),
            ),
            Err(reason) if setting == "cuda" => {
                return Err(Kind::Unavailable(format!(
                    "CUVEC_DEVICE is cuda, but {reason}; unset it to fall back to the CPU"
                ))
                .into());
            }
            Err(reason) => (0, reason),
        },
        _ => {
            return Err(Error::wrong_value(format_args!(
                "CUVEC_DEVICE is {setting:?}, but it must be auto, cuda or cpu"
            )));
        }
    };
    Ok(Decision {
        gpus: (0..gpus).map(|_| PerProcess::new()).collect(),
        reason,
        forks: fork::generation(),
    })
}

/// The version of CUDA that the installed driver knows, 12040 for 12.4.
pub(crate) fn driver_version() -> Result<i32, DriverError> {
    let mut version = 0;
    // SAFETY: the driver writes a number; it need not be started.
    unsafe { sys::cuDriverGetVersion(&raw mut version) }.result()?;
    Ok(version)
}

/// How CUDA's versions are written.
fn release(version: i32) -> String {
    format!("{}.{}", version / 1000, version % 1000 / 10)
}

/// The number of GPUs, or why none can be used.
fn probe() -> Result<usize, String> {
    let Some(built_for) = oldest_driver() else {
        return Err("this package was built without CUDA".to_owned());
    };
    // SAFETY: loads the driver library, as every CUDA program does.
    if !unsafe { sys::is_culib_present() } {
        return Err("no CUDA driver is installed".to_owned());
    }
    let failed = |error| format!("the CUDA driver does not start: {}", Error::from(error));
    let version = driver_version().map_err(failed)?;
    let needed = OLDEST_DRIVER.max(built_for);
    if version < needed {
        return Err(format!(
            "the CUDA driver is too old: it knows CUDA {}, and {} is needed",
            release(version),
            release(needed)
        ));
    }
    result::init().map_err(failed)?;
    match CudaContext::device_count().map_err(failed)? {
        0 => Err("the CUDA driver finds no GPU".to_owned()),
        count => Ok(count as usize),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none() -> Result<usize, String> {
        Err("none here".to_owned())
    }

    #[test]
    fn auto_takes_what_there_is() {
        assert_eq!(decide("auto", || Ok(2)).unwrap().gpus.len(), 2);
        let without = decide("", none).unwrap();
        assert!(without.gpus.is_empty());
        assert_eq!(without.reason, "none here");
    }

    #[test]
    fn cuda_insists() {
        assert_eq!(decide("cuda", || Ok(1)).unwrap().gpus.len(), 1);
        let error = decide("cuda", none).err().unwrap();
        assert!(matches!(error.kind(), Kind::Unavailable(_)));
    }

    #[test]
    fn cpu_does_not_look_for_a_gpu() {
        let decision = decide("cpu", || panic!("looked for a GPU")).unwrap();
        assert!(decision.gpus.is_empty());
    }

    #[test]
    fn nonsense_is_refused() {
        let error = decide("gpu", || Ok(1)).err().unwrap();
        assert!(matches!(error.kind(), Kind::Value(_)));
    }
}
