// The declared functions, as built-in functions of Python.

#include <host/functions.hpp>
#include <host/inplace_vector.hpp>

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "argument.hpp"
#include "beside.hpp"
#include "buffer.hpp"
#include "docstring.hpp"
#include "kept.hpp"
#include "method.hpp"
#include "module.hpp"
#include "number.hpp"
#include "read.hpp"
#include "stream.hpp"
#include "unlocked.hpp"

namespace python {

namespace {

PyObject *array_factory = nullptr; // makes an array of a buffer; set by the package when imported

/// What a call needs of a parameter or a result, apart from the rest: that is in many places.
struct Brief {
  const char *called;
  bool is_number;
};

/// A function as Python calls it. It lives as long as the process.
struct Callable {
  const host::Function *function;
  std::size_t index;
  std::vector<PyObject *>
      names; // interned: the parameters', then `out` if there are results, `stream`
  std::vector<Brief> briefs;
  std::size_t parameters = 0; // without results
  std::size_t positional = 0;
  std::size_t results = 0;
  std::string docstring;
  PyMethodDef method{};

  std::size_t out() const { return parameters; }
  std::size_t stream() const { return names.size() - 1; }
};

constexpr std::size_t MOST = host::MAX_ARGUMENTS + 2; // with `out` and `stream`

using Arguments = std::array<PyObject *, MOST>;

[[noreturn]] void refuse(const Callable &callable, const std::string &why) {
  throw host::TypeError(callable.function->name + "() " + why);
}

/// Which parameter has this name.
std::size_t find(const Callable &callable, PyObject *name) {
  for (std::size_t i = 0; i < callable.names.size(); ++i) {
    if (callable.names[i] == name) { // what compilers and interpreters write is interned
      return i;
    }
  }
  for (std::size_t i = 0; i < callable.names.size(); ++i) {
    if (PyUnicode_Compare(callable.names[i], name) == 0) {
      return i;
    }
  }
  refuse(callable, "got an unexpected keyword argument '" + to_string(name).value_or("") + "'");
}

/// The arguments in the order of `names`; null where none was given.
Arguments match(const Callable &callable, PyObject *const *values, std::size_t positional,
                PyObject *names) {
  Arguments matched{};
  if (positional > callable.positional) {
    refuse(callable, "takes " + std::to_string(callable.positional) +
                         (callable.positional == 1 ? " argument" : " arguments") +
                         " by position, not " + std::to_string(positional));
  }
  std::copy_n(values, positional, matched.begin());
  const Py_ssize_t named = names == nullptr ? 0 : PyTuple_Size(names);
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject *name = PyTuple_GetItem(names, k);
    PyObject *&place = matched.at(find(callable, name));
    if (place != nullptr) {
      refuse(callable, "got multiple values for argument '" + to_string(name).value_or("") + "'");
    }
    place = values[positional + static_cast<std::size_t>(k)];
  }
  for (std::size_t i = 0; i < callable.parameters; ++i) {
    if (matched.at(i) == nullptr && callable.function->parameters[i].fallback.empty()) {
      refuse(callable, "missing required argument '" + callable.function->parameters[i].name + "'");
    }
  }
  return matched;
}

/// Checks what the caller gives for the results. Null when they are all to be new.
PyObject *check_out(const Callable &callable, const Arguments &matched) {
  PyObject *out = callable.results == 0 ? nullptr : matched.at(callable.out());
  if (out == nullptr || out == Py_None) {
    return nullptr;
  }
  const auto results = static_cast<Py_ssize_t>(callable.results);
  if (results > 1 && (PyTuple_Check(out) == 0 || PyTuple_Size(out) != results)) {
    throw host::TypeError("out must be a tuple of " + std::to_string(results) + " arrays");
  }
  return out;
}

/// The object for a result; null when it is to be new.
PyObject *object_of(const Callable &callable, PyObject *out, std::size_t result) {
  if (out == nullptr || callable.results == 1) {
    return out;
  }
  PyObject *item = PyTuple_GetItem(out, static_cast<Py_ssize_t>(result));
  return item == Py_None ? nullptr : item;
}

/// Whether the call is on a stream of its caller's.
bool has_stream(const Callable &callable, const Arguments &matched) {
  const PyObject *stream = matched.at(callable.stream());
  return stream != nullptr && stream != Py_None;
}

/// One call, from Python's objects to Python's objects.
class Conversation {
public:
  Conversation(const Callable &callable, const Arguments &matched)
      : callable_(callable), asked_(has_stream(callable, matched)) {
    PyObject *out = check_out(callable, matched);
    for (std::size_t i = 0; i < callable.parameters + callable.results; ++i) {
      PyObject *object =
          i < callable.parameters ? matched[i] : object_of(callable, out, i - callable.parameters);
      items_.emplace_back(object);
      given_.emplace_back();
      if (object != nullptr) {
        read(i, object);
      }
    }
    if (PyObject *stream = matched.at(callable.stream())) {
      stream_ = python::stream(stream);
    }
    if (stream_) {
      own(*stream_);
    }
  }

  Object hold() {
    if (!stream_ && others_may_record()) {
      refuse_beside(gpu());
    }
    host::Invocation invocation(callable_.index, given_.begin());
    for (const auto &missing : invocation.missing()) {
      make(invocation, missing);
    }
    unlocked([&] { invocation.run(stream_); });
    if (stream_) {
      keep(*stream_);
    }
    let_go();
    return answer(invocation);
  }

private:
  /// That of an array.
  std::optional<int> gpu() const {
    for (const host::Given &given : given_) {
      const auto gpu = given.array == nullptr ? std::nullopt : given.array->gpu();
      if (gpu) {
        return gpu;
      }
    }
    return {};
  }

  void read(std::size_t i, PyObject *object) {
    const Brief &brief = callable_.briefs[i];
    if (brief.is_number) {
      given_[i].number = &items_[i].number.emplace(object, brief.called);
      return;
    }
    given_[i].array = &items_[i].array.emplace(object, brief.called, asked_).array();
    if (i >= callable_.parameters) {
      items_[i].result = Object::borrow(object);
    }
  }

  /// Takes shares of borrowed memory that may have another use before the call is over.
  void own(host::Stream stream) {
    for (Item &item : items_) {
      if (item.array && item.array->array().may_be_reused(stream)) {
        item.array->own(item.given, asked_);
      }
    }
  }

  /// A new array for a result.
  void make(host::Invocation &invocation, const host::Invocation::New &missing) {
    if (array_factory == nullptr) {
      throw host::RuntimeError("no array factory is set: import the package, not its `_core`");
    }
    auto block = unlocked([&] { return invocation.allocate(missing); });
    const Object buffer = make_buffer(std::move(block), missing.dtype, missing.shape);
    Object array = call_with(array_factory, buffer.get());
    if (!array) {
      throw Raised();
    }
    Item &item = items_[missing.parameter];
    item.result = std::move(array);
    // Its block outlives the call.
    item.array.emplace(as_buffer(buffer.get())->array(), no_loan());
    invocation.give(missing.parameter, item.array->array());
  }

  /// Keeps what the GPU may still use and its owner knows nothing of.
  void keep(host::Stream stream) {
    std::vector<Kept> kept;
    for (Item &item : items_) {
      if (item.array && item.array->array().may_be_reused(stream)) {
        kept.push_back({Object::borrow(item.given), std::move(*item.array)});
      }
    }
    if (!kept.empty()) {
      python::keep(stream, std::move(kept));
    }
  }

  /// A result: an array, or a number that the call has found.
  Object take(const host::Invocation &invocation, std::size_t i) {
    Object &array = items_[i].result;
    return array ? std::move(array) : checked(to_python(invocation.number(i)));
  }

  Object answer(const host::Invocation &invocation) {
    const std::size_t first = callable_.parameters;
    if (callable_.results == 0) {
      return none();
    }
    if (callable_.results == 1) {
      return take(invocation, first);
    }
    Object tuple = checked(PyTuple_New(static_cast<Py_ssize_t>(callable_.results)));
    for (std::size_t k = 0; k < callable_.results; ++k) {
      PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(k),
                      take(invocation, first + k).release());
    }
    return tuple;
  }

  /// What is known of a parameter or a result.
  struct Item {
    explicit Item(PyObject *object) : given(object) {}

    PyObject *given; // what it is read from, which the caller holds; null if there is none
    std::optional<Number> number;
    std::optional<Argument> array;
    Object result; // what Python gets
  };

  const Callable &callable_;
  host::InplaceVector<host::Given, MOST> given_;
  host::InplaceVector<Item, MOST> items_;
  Asked asked_;
  std::optional<host::Stream> stream_;
};

PyObject *call(PyObject *self, PyObject *const *values, Py_ssize_t positional,
               PyObject *names) noexcept {
  return guarded([&] {
    const auto &callable = **static_cast<const Callable **>(PyModule_GetState(self));
    const auto matched = match(callable, values, static_cast<std::size_t>(positional), names);
    return Conversation(callable, matched).hold();
  });
}

/// Describes a function once.
Callable describe(std::size_t index) {
  const host::Function &function = host::functions()[index];
  Callable callable{&function, index, {}, {}, 0, 0, 0, docstring_of(function), {}};
  for (const host::Parameter &parameter : function.parameters) {
    callable.briefs.push_back(
        {parameter.called(), parameter.kind == host::Parameter::Kind::Number});
    if (parameter.is_result()) {
      ++callable.results;
      continue;
    }
    callable.names.push_back(interned(parameter.name.c_str()));
    ++callable.parameters;
    callable.positional += parameter.keyword_only ? 0 : 1;
  }
  if (callable.results > 0) {
    callable.names.push_back(interned("out"));
  }
  callable.names.push_back(interned("stream"));
  return callable;
}

std::deque<Callable> &callables() {
  static auto &all = *new std::deque<Callable>; // the interpreter keeps pointers to its items
  if (all.empty()) {
    for (std::size_t index = 0; index < host::functions().size(); ++index) {
      all.push_back(describe(index));
      Callable &callable = all.back();
      PyObject *(*entry)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *) = call;
      // The interpreter knows by the flags what it really is.
      callable.method = {callable.function->name.c_str(),
                         reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(entry)),
                         ARGUMENTS, callable.docstring.c_str()};
    }
  }
  return all;
}

/// A built-in function. Its `self` is a module of its own, for Python takes a built-in function
/// with a module as one that can be found by its name: pickle does.
Object built_in(const Callable &callable, PyObject *package) {
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                   "function",
                                   nullptr,
                                   sizeof(void *),
                                   nullptr,
                                   nullptr,
                                   nullptr,
                                   nullptr,
                                   nullptr};
  const Object self = checked(PyModule_Create(&definition));
  *static_cast<const Callable **>(PyModule_GetState(self.get())) = &callable;
  return checked(
      PyCFunction_NewEx(const_cast<PyMethodDef *>(&callable.method), self.get(), package));
}

/// The name of the package: two levels above this module.
Object package_of(PyObject *module) {
  const Object full = checked(PyModule_GetNameObject(module));
  std::string name = to_string(full.get()).value_or("");
  for (int level = 0; level < 2 && name.find('.') != std::string::npos; ++level) {
    name.erase(name.rfind('.'));
  }
  return checked(PyUnicode_FromString(name.c_str()));
}

Object set_array_factory(const Call &call) {
  const auto [factory] = call.match("set_array_factory", {"factory"});
  Py_XDECREF(array_factory);
  Py_INCREF(factory);
  array_factory = factory;
  return none();
}

PyMethodDef function_methods[] = {
    {"set_array_factory", function<set_array_factory>(), ARGUMENTS,
     R"(set_array_factory($module, factory)
--

Set what makes an array of a `Buffer`, for results of functions.)"},
    {nullptr, nullptr, 0, nullptr},
};

bool check_signals() {
  const PyGILState_STATE state = run(PyGILState_Ensure);
  const bool raised = PyErr_CheckSignals() != 0;
  PyGILState_Release(state);
  return raised;
}

void add(PyObject *module, const char *name, const Object &value) {
  if (PyModule_AddObjectRef(module, name, value.get()) < 0) {
    throw Raised();
  }
}

} // namespace

void add_functions(PyObject *module) {
  host::set_interrupt_check(check_signals);
  const Object package = package_of(module);
  const Object declared = checked(PyTuple_New(static_cast<Py_ssize_t>(callables().size())));
  const Object signatures = checked(PyDict_New());
  for (const Callable &callable : callables()) {
    const auto place = static_cast<Py_ssize_t>(callable.index);
    PyTuple_SetItem(declared.get(), place, built_in(callable, package.get()).release());
    const Object text = checked(PyUnicode_FromString(callable.function->signature.c_str()));
    if (PyDict_SetItemString(signatures.get(), callable.function->name.c_str(), text.get()) < 0) {
      throw Raised();
    }
  }
  add(module, "declared", declared);
  add(module, "signatures", signatures);
  add_table(module, function_methods);
}

} // namespace python
