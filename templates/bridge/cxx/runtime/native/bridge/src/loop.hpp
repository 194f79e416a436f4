// A loop body that Rust calls, on any of its threads.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace host {

/// A function of the iterations from `begin` to before `end`, which may run on several threads
/// at once.
class Loop {
public:
  using Body = std::function<void(std::size_t begin, std::size_t end)>;

  explicit Loop(Body body) : body_(std::move(body)) {}

  /// Calls the body. Rust gets the text of an exception; the exception itself stays here.
  void run(std::size_t begin, std::size_t end) const {
    try {
      body_(begin, end);
    } catch (const std::exception &) {
      keep(std::current_exception());
      throw;
    } catch (...) { // which cxx does not catch
      const std::runtime_error error("C++ has thrown what is no std::exception");
      keep(std::make_exception_ptr(error));
      throw error;
    }
  }

  /// Throws the first exception of the body once more, if there was one.
  void rethrow() const {
    if (thrown_) {
      std::rethrow_exception(thrown_);
    }
  }

private:
  void keep(std::exception_ptr exception) const {
    const std::lock_guard lock(mutex_);
    if (!thrown_) {
      thrown_ = std::move(exception);
    }
  }

  Body body_;
  mutable std::mutex mutex_;
  mutable std::exception_ptr thrown_;
};

} // namespace host
