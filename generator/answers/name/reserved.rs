//! Names that mean something else already. All are compared in their module form (`_`, no `-`).

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    Command,
    PythonKeyword,
    RustKeyword,
    StandardLibrary,
    Builtin,
    Package,
    Cargo,
    Folder,
    WindowsDevice,
}

pub fn reason(module: &str) -> Option<Reason> {
    if COMMANDS.iter().any(|(word, _)| *word == module) {
        return Some(Reason::Command);
    }
    LISTS
        .into_iter()
        .find(|(words, _)| words.split_ascii_whitespace().any(|word| word == module))
        .map(|(_, reason)| reason)
}

/// Why no function and no argument may be called this: languages have the word.
pub fn keyword(word: &str) -> Option<Reason> {
    reason(word).filter(|it| matches!(it, Reason::PythonKeyword | Reason::RustKeyword))
}

/// All that are reserved, in their module form.
pub fn words() -> impl Iterator<Item = &'static str> {
    let words = LISTS
        .into_iter()
        .flat_map(|(words, _)| words.split_ascii_whitespace());
    COMMANDS.into_iter().map(|(word, _)| word).chain(words)
}

const LISTS: [(&str, Reason); 8] = [
    (PYTHON_KEYWORDS, Reason::PythonKeyword),
    (STANDARD_LIBRARY, Reason::StandardLibrary),
    (BUILTINS, Reason::Builtin),
    (PACKAGES, Reason::Package),
    (FOLDERS, Reason::Folder),
    (CARGO, Reason::Cargo),
    (RUST_KEYWORDS, Reason::RustKeyword),
    (WINDOWS_DEVICES, Reason::WindowsDevice),
];

/// First words by which `cuvec-new` does something, or may one day, with today's line for it.
///
/// A package of such a name would be made by whoever takes it for a command.
pub const COMMANDS: [(&str, &str); 15] = [
    ("add", "cuvec-new add NAME '(n)->(n)'"),
    ("adopt", "cuvec-new adopt FILE.cu"),
    ("build", "pip install ."),
    ("completions", "cuvec-new completions SHELL"),
    ("create", "cuvec-new new NAME"),
    ("doctor", "cuvec-new doctor"),
    ("export", "cuvec-new export DIR"),
    ("help", "cuvec-new help"),
    ("init", "cuvec-new new NAME"),
    ("list", "cuvec-new list"),
    ("man", "cuvec-new man"),
    ("new", "cuvec-new new NAME"),
    ("test", "pytest"),
    ("update", "cuvec-new update"),
    ("version", "cuvec-new --version"),
];

/// Hard and soft ones; those with an uppercase letter cannot get here.
const PYTHON_KEYWORDS: &str = "
    and as assert async await break case class continue def del elif else except finally for
    from global if import in is lambda lazy match nonlocal not or pass raise return try type while
    with yield
";

/// The strict and reserved ones that are not Python keywords as well.
const RUST_KEYWORDS: &str = "
    abstract become box const crate do dyn enum extern false final fn gen impl let loop macro
    mod move mut override priv pub ref self static struct super trait true typeof unsafe unsized
    use virtual where
";

/// Python 3.11 to 3.15, and what older versions had and many machines still have.
const STANDARD_LIBRARY: &str = "
    abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit
    audioop base64 bdb binascii binhex bisect builtins bz2 calendar cgi cgitb chunk cmath cmd
    code codecs codeop collections colorsys compileall compression concurrent configparser
    contextlib contextvars copy copyreg cprofile crypt csv ctypes curses dataclasses datetime
    dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler
    fcntl filecmp fileinput fnmatch formatter fractions ftplib functools gc genericpath getopt
    getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr
    imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging
    lzma macpath mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt
    multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os
    ossaudiodev parser pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib
    posix posixpath pprint profile profiling pstats pty pwd py_compile pyclbr pydoc pydoc_data
    pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets
    select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver
    spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep
    struct subprocess sunau symbol symtable sys sysconfig syslog tabnanny tarfile telnetlib
    tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib trace
    traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid
    venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp
    zipfile zipimport zlib zoneinfo
";

/// Functions and types one uses without importing them.
const BUILTINS: &str = "
    abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod
    compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter
    float format frozendict frozenset getattr globals hasattr hash help hex id input int
    isinstance issubclass iter len license list locals map max memoryview min next object oct
    open ord pow print property quit range repr reversed round sentinel set setattr slice sorted
    staticmethod str sum super tuple type vars zip
";

/// Top-level modules that users of GPU packages and their build tools import.
const PACKAGES: &str = "
    attr attrs auditwheel awkward cffi cibuildwheel cmake conda cub cuda cudf cugraph cuml
    cunumeric cupy cupynumeric cupyx curand cutlass cuvec cv2 cython dask dateutil dlpack flit
    h5py hatch hatchling ipython jax jaxlib jupyter keras llvmlite matplotlib maturin meson
    mpi4py mypy nanobind networkx ninja nose nox numba numba_cuda numcu numexpr numpy nvidia
    nvtx onnx onnxruntime packaging pandas pil pillow pip pipx pkg_resources pluggy poetry
    polars psutil pyarrow pybind11 pycuda pygments pyopencl pyproject pytest python rapids
    requests rmm ruff rust scikit_build_core scipy setuptools setuptools_scm six skimage sklearn
    sympy tensorflow torch torchaudio torchvision tox tqdm triton twine typing_extensions uv
    virtualenv warp wheel xarray xformers xgboost yaml
";

/// Rust's own crates, and folders that Cargo makes in `target/`.
const CARGO: &str = "
    alloc build core deps examples incremental panic_abort panic_unwind proc_macro std test
    unwind
";

/// Folders at the top of a package, which Python would find first when started there.
const FOLDERS: &str = "
    benchmarks dist docs kernels python runtime src target tests
";

/// Reserved with any extension and in any letter case.
const WINDOWS_DEVICES: &str = "
    aux con conin conout nul prn com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt0 lpt1
    lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9
";
