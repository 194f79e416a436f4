#include <host/interop.hpp>

#include <host/error.hpp>

#include "test.hpp"

namespace dlpack = host::dlpack;

namespace {

dlpack::Export exported(const host::Block &block) {
  return {block.address(), {2, 3}, {3, 1}, host::DType::F32, true, {1, 0}, false};
}

} // namespace

TEST(a_tensor_keeps_its_block) {
  const auto before = host::memory_statistics().used;
  auto block = host::Block::zeroed(24);
  auto *versioned = dlpack::export_versioned(exported(*block), block);
  auto *legacy = dlpack::export_legacy(exported(*block), block);
  block.reset();
  CHECK(host::memory_statistics().used > before);
  CHECK(versioned->flags == dlpack::Versioned::READ_ONLY);
  CHECK(legacy->tensor.ndim == 2 && legacy->tensor.shape[1] == 3);
  versioned->deleter(versioned);
  CHECK(host::memory_statistics().used > before);
  legacy->deleter(legacy);
  CHECK(host::memory_statistics().used == before);
}

TEST(a_tensor_is_read) {
  const auto block = host::Block::zeroed(24);
  auto *legacy = dlpack::export_legacy(exported(*block), block);
  const host::Array array = dlpack::import(legacy->tensor, false);
  CHECK(array.address == block->address() && array.dtype == host::DType::F32);
  CHECK((array.shape == host::Shape{2, 3}) && array.contiguous && !array.writable);
  legacy->tensor.strides[0] = 6;
  CHECK(!dlpack::import(legacy->tensor, false).contiguous);
  legacy->tensor.shape[0] = -1;
  CHECK_THROWS(dlpack::import(legacy->tensor, false), host::ValueError, "negative");
  legacy->tensor.shape[0] = 2;
  legacy->tensor.dtype.lanes = 2;
  CHECK_THROWS(dlpack::import(legacy->tensor, false), host::TypeError, "not supported");
  legacy->tensor.dtype.lanes = 1;
  legacy->tensor.device.type = 99;
  CHECK_THROWS(dlpack::import(legacy->tensor, false), host::ValueError, "DLPack type 99");
  legacy->deleter(legacy);
}

TEST(strides_that_lead_nowhere_do_not_matter) {
  const auto block = host::Block::zeroed(24);
  auto *legacy = dlpack::export_legacy(exported(*block), block);
  auto &tensor = legacy->tensor;
  tensor.strides[1] = 2;
  CHECK(!dlpack::import(tensor, false).contiguous);
  tensor.shape[1] = 1;
  tensor.strides[0] = 1;
  CHECK(dlpack::import(tensor, false).contiguous);
  tensor.strides[0] = 3;
  CHECK(!dlpack::import(tensor, false).contiguous);
  tensor.shape[0] = 0;
  CHECK(dlpack::import(tensor, false).contiguous);
  tensor.ndim = 0;
  CHECK(dlpack::import(tensor, false).contiguous);
  legacy->deleter(legacy);
}
