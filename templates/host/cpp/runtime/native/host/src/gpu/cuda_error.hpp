// Errors of the CUDA runtime as exceptions.
#pragma once

#include <string>

#include <cuda_runtime_api.h>

namespace host {

/// The driver's name and text for an error, as in `CUDA_ERROR_INVALID_VALUE: invalid argument`.
std::string describe(cudaError_t error);

/// Throws `RuntimeError` with the name and the text of an error, and makes the runtime forget it.
void check(cudaError_t error);

/// Makes the runtime forget an error that is met where nobody can be told of it.
inline void ignore(cudaError_t error) {
  if (error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
  }
}

} // namespace host
