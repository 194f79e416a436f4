// Finds the functions of a library when they are called first: see cuda_library.S.
//
// CUVEC_LIBRARY       the file, such as "libcufft.so.12"
// CUVEC_REQUIREMENT   what pip installs it by
// CUVEC_FOLDER        where it is then, in site-packages
#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace {

struct Function {
  void *address; // null until it was called
  char name[1];  // and more behind it
};

// Doctor looks for this text in the modules.
constexpr char missing[] =
    CUVEC_LIBRARY " cannot be loaded. To install it: pip install '" CUVEC_REQUIREMENT "'";

/// The one that is loaded already, by PyTorch perhaps; PyPI's next to the package; or wherever
/// the linker looks.
void *library() {
  if (void *loaded = dlopen(CUVEC_LIBRARY, RTLD_NOW | RTLD_NOLOAD)) {
    return loaded;
  }
  static const int here = 0;
  Dl_info module{};
  dladdr(&here, &module);
  std::string folder = module.dli_fname;
  for (int level = 0; level < 3; ++level) { // site-packages/mypkg/cuvec/_functions.so
    const std::size_t end = folder.rfind('/');
    if (end == std::string::npos) {
      break;
    }
    folder.resize(end);
    if (void *found = dlopen((folder + "/" CUVEC_FOLDER "/" CUVEC_LIBRARY).c_str(), RTLD_NOW)) {
      return found;
    }
  }
  return dlopen(CUVEC_LIBRARY, RTLD_NOW);
}

/// The next call looks again.
void *loaded() {
  static void *found = nullptr;
  void *now = __atomic_load_n(&found, __ATOMIC_ACQUIRE);
  if (now == nullptr) {
    now = library();
    if (now == nullptr) {
      throw std::runtime_error(std::string(missing) + " (" + dlerror() + ")");
    }
    __atomic_store_n(&found, now, __ATOMIC_RELEASE);
  }
  return now;
}

} // namespace

extern "C" {

__attribute__((visibility("hidden"))) void *CUVEC_ADDRESS(Function *function) {
  void *address = dlsym(loaded(), function->name);
  if (address == nullptr) {
    throw std::runtime_error("this " CUVEC_LIBRARY " has no " + std::string(function->name));
  }
  __atomic_store_n(&function->address, address, __ATOMIC_RELEASE);
  return address;
}

/// For callers that nothing may be thrown at: null, or why it cannot be loaded, until this thread
/// asks again.
__attribute__((visibility("hidden"))) const char *CUVEC_MISSING() noexcept {
  static thread_local std::string why;
  try {
    loaded();
    return nullptr;
  } catch (const std::exception &error) {
    why = error.what();
    return why.c_str();
  }
}
}
