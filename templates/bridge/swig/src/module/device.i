// The device that is worked on, and the pool that arrays take their memory from.

%typemap(in) std::ptrdiff_t {
  $1 = PyNumber_AsSsize_t($input, PyExc_ValueError);
  if ($1 == -1 && PyErr_Occurred() != nullptr) {
    SWIG_fail;
  }
}

%typemap(out) host::Device {
  PyObject *index = $1.index ? PyLong_FromLong(*$1.index) : Py_NewRef(Py_None);
  $result = Py_BuildValue("sNss", $1.kind.c_str(), index, $1.name.c_str(), $1.reason.c_str());
}

%typemap(out) host::MemoryStatistics {
  $result = Py_BuildValue("NN", PyLong_FromSize_t($1.used), PyLong_FromSize_t($1.held));
}

%rename(dev_set) host::set_device;
%rename(dev_sync) host::synchronize;
%rename(memory_stats) host::memory_statistics;

namespace host {

struct Device;
struct MemoryStatistics;

%feature("docstring") device %{device()
--

The device that is worked on: kind ("cuda" or "cpu"), index, name and why.%}
Device device();

%feature("docstring") set_device %{dev_set(index)
--

Make GPU `index` the one that this thread allocates and works on.%}
void set_device(std::ptrdiff_t index);

%feature("docstring") synchronize %{dev_sync()
--

Wait until the current GPU has finished everything.%}
void synchronize();

%feature("docstring") memory_statistics %{memory_stats()
--

Bytes in arrays, and bytes held by the pool: in arrays or ready for new ones.%}
MemoryStatistics memory_statistics();

%feature("docstring") empty_cache %{empty_cache()
--

Give all memory that no array uses back to the system.%}
void empty_cache();

} // namespace host
