#include "current.hpp"

#include "driver.hpp"

namespace host {

Current::Current() : previous_(context()), changed_(true) {}

Current::Current(const Gpu &gpu) : previous_(context()), changed_(previous_ != gpu.context_) {
  if (changed_) {
    check(Driver::get().set_context(static_cast<CUcontext>(gpu.context_)));
  }
}

Current::~Current() {
  if (changed_) {
    // A context that its owner has destroyed meanwhile cannot be put back, and nobody is left to
    // be told.
    static_cast<void>(Driver::get().set_context(static_cast<CUcontext>(previous_)));
  }
}

void *Current::context() {
  CUcontext context = nullptr;
  check(Driver::get().get_context(&context));
  return context;
}

} // namespace host
