// The GPU of a package that was built without CUDA: there is none, and so nothing but `count` is
// ever called.
#include <exception>

#include "gpu.hpp"

namespace host {

int Gpu::count() { throw RuntimeError("this package was built without CUDA"); }

Gpu::Gpu(int index) : index_(index) { std::terminate(); }
// NOLINTBEGIN(readability-convert-member-functions-to-static): a GPU that there is needs them so
void Gpu::synchronize() const { std::terminate(); }
void *Gpu::allocate_managed(std::size_t /*bytes*/) const { std::terminate(); }
void *Gpu::allocate_pinned(std::size_t /*bytes*/) const { std::terminate(); }
void *Gpu::allocate_device(std::size_t /*bytes*/) const { std::terminate(); }
void Gpu::free(void * /*memory*/) const { std::terminate(); }
void Gpu::free_pinned(void * /*memory*/) const { std::terminate(); }
void Gpu::advise_host(std::uintptr_t /*address*/, std::size_t /*bytes*/) const { std::terminate(); }
void Gpu::move(Side /*side*/, std::uintptr_t /*address*/, std::size_t /*bytes*/,
               Stream /*stream*/) const {
  std::terminate();
}
bool Gpu::has_room(std::size_t /*bytes*/) const { std::terminate(); }
Stream Gpu::thread_stream() const { std::terminate(); }
void Gpu::join(Stream /*stream*/, Stream /*other*/) const { std::terminate(); }
std::function<bool()> Gpu::mark(Stream /*stream*/) const { std::terminate(); }
bool Gpu::is_recording(Stream /*stream*/) const { std::terminate(); }
std::optional<Life> Gpu::life_of_recording(Stream /*stream*/) const { std::terminate(); }
void Gpu::refuse_beside(Stream /*stream*/) const { std::terminate(); }
void Gpu::refuse_beside(
    const std::function<std::optional<Stream>(int gpu)> & /*current_stream*/) const {
  std::terminate();
}
int Gpu::locate(std::uintptr_t /*address*/, std::size_t /*bytes*/) const { std::terminate(); }
// NOLINTEND(readability-convert-member-functions-to-static)

} // namespace host
