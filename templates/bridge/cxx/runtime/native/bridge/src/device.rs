//! The device that is worked on.

use host::device as host_device;
use host::gpu::dlpack;
use host::gpu::pointer;

use crate::array::NONE;
use crate::bridge::{Device, Stream};
use crate::error::{Error, Result, call};

pub fn device() -> Result<Device> {
    call(|| {
        let device = host_device::describe()?;
        Ok(Device {
            gpu: device.index.map_or(-1, |index| index as i32),
            name: device.name,
            reason: device.reason,
        })
    })
}

pub fn set_device(index: isize) -> Result<()> {
    call(|| {
        let index =
            usize::try_from(index).map_err(|_| Error::value(format!("there is no GPU {index}")))?;
        Ok(host_device::set(index)?)
    })
}

pub fn synchronize() -> Result<()> {
    call(|| Ok(host_device::synchronize()?))
}

pub fn is_of_known_gpu(device_type: i32, index: i32) -> bool {
    dlpack::is_of_known_gpu(device_type.into(), index)
}

pub fn is_for_gpu(device_type: i32, index: i32) -> Result<bool> {
    call(|| Ok(dlpack::gpu_of(device_type.into(), index)?.is_some()))
}

pub fn consumer_stream(device_type: i32, index: i32) -> Result<Stream> {
    call(|| match dlpack::gpu_of(device_type.into(), index)? {
        None => Ok(NONE),
        Some(gpu) => Ok(Stream {
            given: true,
            handle: gpu.thread_stream()?.0,
        }),
    })
}

pub struct Mark(host::gpu::stream::Mark);

pub fn mark(gpu: i32, stream: Stream) -> Result<Box<Mark>> {
    call(|| {
        let gpu = host_device::gpu(gpu as usize)?;
        let mark = gpu.mark(host::Stream(stream.handle))?;
        Ok(Box::new(Mark(mark)))
    })
}

impl Mark {
    pub fn order(&self) -> usize {
        self.0.order().0
    }

    pub fn has_passed(&self) -> bool {
        self.0.has_passed()
    }
}

/// A GPU's context as the thread's.
pub struct Entered(#[allow(dead_code)] host::gpu::current::Current);

pub fn enter(gpu: i32) -> Result<Box<Entered>> {
    call(|| Ok(Box::new(Entered(host_device::gpu(gpu as usize)?.enter()?))))
}

pub fn gpu_or_current(gpu: i32) -> Result<i32> {
    call(|| match host_device::current()? {
        host::Device::Cpu => Ok(-1),
        host::Device::Gpu(_) if gpu >= 0 => Ok(gpu),
        host::Device::Gpu(current) => Ok(current.index as i32),
    })
}

pub fn refuse_beside(gpu: i32, stream: usize) -> Result<()> {
    call(|| Ok(host_device::gpu(gpu as usize)?.refuse_beside(host::Stream(stream))?))
}

pub fn locate(address: usize, bytes: usize) -> Result<i32> {
    call(|| Ok(pointer::locate(address, bytes)? as i32))
}
