//! Between C++ and [`host`]: everything that crosses is in the one block below.
//!
//! In C++ these names are in the namespace `rs`; `src/*.cpp` makes of them the interface of
//! `host/include`, which the Python module is written against. A function that returns a
//! `Result` throws `rust::Error` in C++, also when it panics ([`error`]).

mod array;
mod crossings;
mod device;
mod error;
mod functions;
mod memory;
mod ops;
mod per_argument;
mod threads;
mod vector;

use crossings::{fail, panic};
use device::{
    Entered, Mark, consumer_stream, device, enter, gpu_or_current, is_for_gpu, is_of_known_gpu,
    locate, mark, refuse_beside, set_device, synchronize,
};
use error::error_kind;
use functions::{Invocation, begin, functions, run_at_once, watch_for_interrupts};
use memory::{Block, allocate, empty_cache, memory_kind, memory_statistics, side};
use ops::assign;
use threads::in_parallel;
use vector::{allocate_vector, block_of_vector, deallocate_vector};

#[cxx::bridge(namespace = "rs")]
mod bridge {
    /// What went wrong, by the Python exception it becomes.
    #[derive(Debug)]
    enum ErrorKind {
        Type,
        Value,
        Overflow,
        Memory,
        Runtime,
        /// A signal's handler has raised: that exception, which is set already.
        Interrupted,
    }

    /// A CUDA stream of the caller's, or none.
    #[derive(Clone, Copy)]
    struct Stream {
        given: bool,
        handle: usize,
    }

    /// A borrowed array: whoever makes one keeps its memory alive during the call.
    struct Array<'a> {
        /// Address of the first element.
        address: usize,
        dtype: DType,
        /// Extents, in elements.
        shape: &'a [usize],
        /// C-contiguous.
        contiguous: bool,
        writable: bool,
        /// The block of ours that it is in, or null.
        block: *const Block,
        /// The GPU whose memory it is in, if that memory is another library's; else -1.
        gpu: i32,
        /// The stream after whose present work the contents are ready.
        ready: Stream,
    }

    /// What a parameter of a function is.
    enum ParameterKind {
        Number,
        Array,
        Result,
        NumberResult,
    }

    /// A parameter of a function, or a result.
    struct Parameter {
        name: String,
        kind: ParameterKind,
        keyword_only: bool,
        /// The default as Python writes it; empty when there is none.
        fallback: String,
        /// As it was declared, such as `T(m, n)`.
        type_text: String,
    }

    /// A declared function. Its results come after its parameters.
    struct Function {
        name: String,
        signature: String,
        doc: String,
        parameters: Vec<Parameter>,
    }

    /// An array that a call is given, for a parameter or a result.
    struct Given<'a> {
        parameter: usize,
        array: Array<'a>,
    }

    /// A number that a call is given, for a parameter.
    struct Real {
        parameter: usize,
        value: f64,
    }

    /// A result that the caller has not given.
    struct Missing {
        parameter: usize,
        dtype: DType,
        shape: Vec<usize>,
    }

    /// A number of a dtype.
    struct Value {
        dtype: DType,
        bytes: [u8; 16],
    }

    /// The device that is worked on.
    struct Device {
        /// Index of the GPU, -1 for the CPU.
        gpu: i32,
        /// The product name.
        name: String,
        /// Why this device is used.
        reason: String,
    }

    /// Bytes of the memory pool: in arrays; and in arrays or ready for new ones.
    struct Statistics {
        used: usize,
        held: usize,
    }

    // What C++ gets from Rust.
    extern "Rust" {
        /// The kind of the error that this thread has met last: `rust::Error` has only a text.
        fn error_kind() -> ErrorKind;

        /// The functions that the package declares.
        fn functions() -> Result<Vec<Function>>;

        /// A whole call of a function without results; false, and nothing is done, where a number is
        /// not what its dtype can hold, or there are many arguments.
        fn run_at_once(
            function: usize,
            given: &[Given],
            reals: &[Real],
            stream: &Stream,
        ) -> Result<bool>;

        /// One call of a function: `begin` it with the arrays, which say what dtypes it is for, give
        /// its numbers, `check` everything, give the results that are missing, and `run` it.
        type Invocation;
        fn begin(function: usize, given: &[Given]) -> Result<Box<Invocation>>;
        fn dtype(self: &Invocation, parameter: usize) -> DType;
        fn give_default(self: &mut Invocation, parameter: usize);
        /// Whether its dtype can hold the number; so for the others.
        fn give_integer(
            self: &mut Invocation,
            parameter: usize,
            negative: bool,
            magnitude: u64,
        ) -> bool;
        fn give_real(self: &mut Invocation, parameter: usize, value: f64) -> bool;
        fn give_complex(self: &mut Invocation, parameter: usize, real: f64, imaginary: f64)
        -> bool;
        /// How many results are missing.
        fn check(self: &mut Invocation) -> Result<usize>;
        fn missing(self: &Invocation, place: usize) -> Missing;
        fn allocate(self: &Invocation, place: usize) -> Result<Box<Block>>;
        fn give(self: &mut Invocation, parameter: usize, array: &Array);
        fn run(self: &mut Invocation, stream: Stream) -> Result<()>;
        fn number(self: &Invocation, parameter: usize) -> Value;
        /// Has long work on the CPU ask `is_interrupted`.
        fn watch_for_interrupts();

        fn assign(x: &Array, y: &Array, stream: Stream) -> Result<()>;

        /// A share of a block of memory; the last one to go gives it back to the pool.
        type Block;
        fn allocate(bytes: usize, kind: MemoryKind, zero: bool) -> Result<Box<Block>>;
        fn address(self: &Block) -> usize;
        fn size(self: &Block) -> usize;
        fn kind(self: &Block) -> MemoryKind;
        /// The GPU that addresses it, -1 without a GPU.
        fn gpu(self: &Block) -> i32;
        /// Waits for asynchronous calls that use it.
        fn synchronize(self: &Block) -> Result<()>;
        /// Notes that another library is given its address.
        fn expose(self: &Block);
        /// Moves a part of it to a side of the bus.
        fn prefetch(
            self: &Block,
            side: Side,
            offset: usize,
            bytes: usize,
            stream: Stream,
        ) -> Result<()>;
        fn memory_kind(name: &str) -> Result<MemoryKind>;
        fn side(name: &str) -> Result<Side>;
        fn memory_statistics() -> Statistics;
        fn empty_cache() -> Result<()>;

        // The memory of a `CuVec`, which knows nothing of it but its address.
        fn allocate_vector(bytes: usize) -> Result<*mut u8>;
        /// # Safety
        /// `address` must be from `allocate_vector`, and the memory no longer in use.
        unsafe fn deallocate_vector(address: *const u8);
        /// A share of the memory that starts at `address`.
        fn block_of_vector(address: usize) -> Result<Box<Block>>;

        fn device() -> Result<Device>;
        fn set_device(index: isize) -> Result<()>;
        fn synchronize() -> Result<()>;
        /// The stream on which an exporter makes memory of a DLPack device ready; none for
        /// memory of the host.
        fn consumer_stream(device_type: i32, index: i32) -> Result<Stream>;
        /// Whether there is one.
        fn is_for_gpu(device_type: i32, index: i32) -> Result<bool>;
        /// Whether it is one that was used before, which takes less to answer.
        fn is_of_known_gpu(device_type: i32, index: i32) -> bool;
        /// The GPU whose memory holds these bytes, which somebody claims to be GPU memory.
        fn locate(address: usize, bytes: usize) -> Result<i32>;
        /// What is on a stream of a GPU now.
        type Mark;
        fn mark(gpu: i32, stream: Stream) -> Result<Box<Mark>>;
        /// Whether that has been done.
        fn has_passed(self: &Mark) -> bool;
        /// The stream that it is on, or another number for a graph.
        fn order(self: &Mark) -> usize;

        /// A GPU's context as the thread's, until it is dropped.
        type Entered;
        fn enter(gpu: i32) -> Result<Box<Entered>>;
        /// The GPU of this index, for a negative one the current one; -1 on the CPU.
        fn gpu_or_current(gpu: i32) -> Result<i32>;
        /// Refuses a call without a stream while a graph is recorded on this one.
        fn refuse_beside(gpu: i32, stream: usize) -> Result<()>;

        /// Calls `body` for the parts of 0..count, on the threads that Rust works with.
        fn in_parallel(count: usize, body: &Loop) -> Result<()>;

        // For tests: an error, and a panic of the calling thread or of another one.
        fn fail(kind: ErrorKind, text: &str) -> Result<()>;
        fn panic(text: &str, on_thread: bool) -> Result<()>;
    }

    // What Rust gets from C++.
    unsafe extern "C++" {
        include!("interrupt.hpp");
        include!("loop.hpp");

        /// Whether a signal's handler has raised an exception.
        #[namespace = "host"]
        fn is_interrupted() -> bool;

        /// The body of a loop, which may be called on several threads at once.
        #[namespace = "host"]
        type Loop;
        /// Runs the iterations from `begin` to before `end`. What C++ throws becomes an `Err`.
        fn run(self: &Loop, begin: usize, end: usize) -> Result<()>;
    }

    // Enumerations that C++ has already; cxx checks that the values agree.
    unsafe extern "C++" {
        include!("host/dtype.hpp");
        include!("host/memory.hpp");

        #[namespace = "host"]
        type DType;
        #[namespace = "host"]
        type MemoryKind;
        #[namespace = "host"]
        type Side;
    }

    #[namespace = "host"]
    #[repr(u8)]
    enum DType {
        Bool,
        I8,
        U8,
        I16,
        U16,
        I32,
        U32,
        I64,
        U64,
        F16,
        F32,
        F64,
        C64,
        C128,
    }

    #[namespace = "host"]
    #[repr(u8)]
    enum MemoryKind {
        Managed,
        Pinned,
    }

    #[namespace = "host"]
    #[repr(u8)]
    enum Side {
        Host,
        Device,
    }
}
