// The device that is worked on.

%typemap(in) std::ptrdiff_t {
  // Numbers that do not fit become the nearest, which is no GPU's either.
  $1 = python::run(PyNumber_AsSsize_t, $input, nullptr);
  if ($1 == -1 && PyErr_Occurred() != nullptr) {
    SWIG_fail;
  }
}

%typemap(out) host::Device {
  PyObject *index = $1.index ? PyLong_FromLong(*$1.index) : Py_NewRef(Py_None);
  $result = Py_BuildValue("sNss", $1.kind.c_str(), index, $1.name.c_str(), $1.reason.c_str());
}

%rename(dev_set) host::set_device;
%rename(dev_sync) host::synchronize;

namespace host {

struct Device;

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

} // namespace host
