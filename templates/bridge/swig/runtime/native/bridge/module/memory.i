// Copies and addresses of arrays, and the pool that they take their memory from.

%typemap(out) std::uintptr_t {
  $result = PyLong_FromSize_t($1);
}

%typemap(out) host::MemoryStatistics {
  $result = Py_BuildValue("NN", PyLong_FromSize_t($1.used), PyLong_FromSize_t($1.held));
}

%rename(memory_stats) host::memory_statistics;

namespace host {

struct MemoryStatistics;

%feature("docstring") assign %{assign(x, y, *, stream=None)
--

Copy the elements of `x` to `y`, wherever the two are.

Parameters
----------
x, y : array, any shape
    C-contiguous, of the same shape and dtype, not overlapping. `y` is written to.
stream : int or stream object, optional
    Run on this CUDA stream and do not wait. Arrays in host memory are waited for.

Raises
------
TypeError
    Not arrays, or of different dtypes.
ValueError
    Different shapes, overlapping, not contiguous, on two devices, or `y` is read-only.
RuntimeError
    An error from CUDA.%}
void assign(const Array &x, const Array &y, std::optional<Stream> stream = {});

%feature("docstring") address %{address(x)
--

Address of the first element of `x`, as reported by a kernel that was given `x`.

Parameters
----------
x : array
    In memory that the GPU can address. Without a GPU, any array.

Returns
-------
int
    The address.

Raises
------
TypeError
    Not an array.
ValueError
    In host memory that the GPU cannot address.%}
std::uintptr_t address(const Array &x);

%feature("docstring") memory_statistics %{memory_stats()
--

Bytes in arrays, and bytes held by the pool: in arrays or ready for new ones.%}
MemoryStatistics memory_statistics();

%feature("docstring") empty_cache %{empty_cache()
--

Give all memory that no array uses back to the system.%}
void empty_cache();

} // namespace host
