// DLPack, both ways: the tensors. Capsules that hold them are Python's.

#include <memory>
#include <optional>
#include <utility>

#include <host/interop.hpp>

#include "array.hpp"
#include "buffer.hpp"
#include "cpython.hpp"
#include "dlpack.hpp"
#include "dtype.hpp"
#include "error.hpp"

namespace dlpack = host::dlpack;

namespace {

/// What an exporter handed out, given back at the end.
using Loan = std::unique_ptr<void, void (*)(void *)>;

template <typename Managed> void give_back(void *loan) {
  auto *managed = static_cast<Managed *>(loan);
  if (managed->deleter != nullptr) {
    managed->deleter(managed);
  }
}

struct Imported : core::Owned {
  explicit Imported(Loan lent) : core::Owned{}, loan(std::move(lent)) {
    two = 2;
    flags = CORE_OWNED;
  }

  Loan loan;
};

std::unique_ptr<Imported> import_legacy(void *managed, bool writable) {
  auto result = std::make_unique<Imported>(Loan(managed, give_back<dlpack::Legacy>));
  result->array = dlpack::import(static_cast<dlpack::Legacy *>(managed)->tensor, writable);
  return result;
}

/// The tensor that was handed out, in a version that is known here.
const dlpack::Versioned &versioned(const Imported &imported) {
  const auto &managed = *static_cast<const dlpack::Versioned *>(imported.loan.get());
  if (managed.major != dlpack::MAJOR) {
    throw core::BufferError("the array is exported in a version of DLPack that is too new");
  }
  return managed;
}

bool is_writable(const dlpack::Versioned &managed) {
  constexpr auto keeps_out = dlpack::Versioned::READ_ONLY | dlpack::Versioned::IS_COPIED;
  return (managed.flags & keeps_out) == 0;
}

std::unique_ptr<Imported> import_versioned(void *loan) {
  auto result = std::make_unique<Imported>(Loan(loan, give_back<dlpack::Versioned>));
  const auto &managed = versioned(*result);
  result->array = dlpack::import(managed.tensor, is_writable(managed));
  return result;
}

void expect_success(int status) {
  if (status != 0) {
    throw core::BufferError("the array could not be exported, and its library says no reason");
  }
}

/// The array of a tensor that one of these functions has handed out. Nothing has
/// been waited for: its contents are ready after the present work on its
/// library's own stream.
void read_exchanged(const dlpack::Exchange &exchange, Imported &imported) {
  const auto &managed = versioned(imported);
  const auto &tensor = managed.tensor;
  const bool writable = is_writable(managed);
  if (!dlpack::is_for_gpu(tensor.device)) {
    imported.array = dlpack::import(tensor, writable, std::nullopt);
    return;
  }
  void *stream = nullptr;
  expect_success(exchange.current_work_stream(tensor.device.type, tensor.device.index, &stream));
  const host::Stream ready{reinterpret_cast<std::uintptr_t>(stream)};
  if (dlpack::is_gpus_own(tensor.device)) {
    dlpack::import_from_gpu(tensor, writable, ready, imported.array);
  } else {
    imported.array = dlpack::import(tensor, writable, ready);
  }
}

/// Refuses a tensor of PyTorch whose elements are not what is in memory.
void refuse_other_values(void *object, const host::Array &array) {
  const char *question = dlpack::question_about(array);
  if (question == nullptr) {
    return;
  }
  const auto &python = core::python;
  const core::Reference name = core::owned(python.PyUnicode_InternFromString(question));
  const core::Reference method = core::attribute(object, name.get());
  if (method == nullptr) {
    return; // it is no tensor of PyTorch
  }
  const core::Reference answer =
      core::owned(python.PyObject_CallFunctionObjArgs(method.get(), nullptr));
  if (answer.get() != python.no) { // or there is none, but an exception, which goes before
    throw core::BufferError(dlpack::OTHER_VALUES);
  }
}

/// Takes the tensor without a call of Python.
void import_with(const dlpack::Exchange &exchange, void *object, core_array **result) {
  dlpack::Versioned *managed = nullptr;
  expect_success(exchange.managed_tensor_from_py_object_no_sync(object, &managed));
  if (managed == nullptr) {
    throw core::BufferError("the array's library has exported no tensor");
  }
  auto imported = std::make_unique<Imported>(Loan(managed, give_back<dlpack::Versioned>));
  auto &owner = *imported;
  *result = imported.release(); // before anything can fail: whoever asked deletes it then
  read_exchanged(exchange, owner);
  refuse_other_values(object, owner.array);
}

} // namespace

core_status core::exchange(const void *functions, void *object, core_array **result) {
  return guarded([=] {
    const auto *offered = static_cast<const dlpack::Exchange *>(functions);
    const auto *exchange = dlpack::compatible(offered);
    if (exchange != nullptr) {
      import_with(*exchange, object, result);
    }
  });
}

core_status core_py_import(void *capsule, int32_t versioned, int32_t writable,
                           core_array **result) {
  const auto &python = core::python;
  const char *name = versioned != 0 ? core_py_dltensor_versioned : core_py_dltensor;
  const char *used = versioned != 0 ? core_py_used_dltensor_versioned : core_py_used_dltensor;
  void *managed = python.PyCapsule_GetPointer(capsule, name);
  if (managed == nullptr || python.PyCapsule_SetName(capsule, used) != 0) {
    return CORE_BUFFER_ERROR; // with an exception, which goes before
  }
  return core_dlpack_import(managed, versioned, writable, result);
}

core_status core_dlpack_stream(int32_t device_type, int32_t device_index, uint64_t *result,
                               int32_t *any) {
  return core::guarded([=] {
    const auto stream = dlpack::consumer_stream({device_type, device_index});
    *result = stream.value_or(host::Stream{}).handle;
    *any = stream ? 1 : 0;
  });
}

core_status core_dlpack_import(void *managed, int32_t versioned, int32_t writable,
                               core_array **result) {
  return core::guarded([=] {
    auto imported =
        versioned != 0 ? import_versioned(managed) : import_legacy(managed, writable != 0);
    *result = imported.release();
  });
}

void core_dlpack_delete(core_array *array) {
  delete static_cast<Imported *>(static_cast<core::Owned *>(array));
}

core_status core_dlpack_export(const core_buffer *buffer, uint64_t address, int32_t ndim,
                               const int64_t *shape, const int64_t *strides, const char *typestr,
                               int32_t read_only, int32_t copied, int32_t device_type,
                               int32_t device_index, int32_t versioned, void **result) {
  return core::guarded([=] {
    dlpack::Export tensor{address,
                          {shape, shape + ndim},
                          {strides, strides + ndim},
                          core::dtype_of_typestr(typestr),
                          read_only != 0,
                          {device_type, device_index},
                          copied != 0};
    const auto &block = core::get(buffer).block;
    if (versioned != 0) {
      *result = dlpack::export_versioned(std::move(tensor), block);
    } else {
      *result = dlpack::export_legacy(std::move(tensor), block);
    }
  });
}
