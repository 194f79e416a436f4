// The functions of the driver that the runtime has no counterpart of, or a slower one. The driver
// is not linked, so that the package can be imported where there is none: the runtime hands its
// functions out.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <host/stream.hpp>

namespace host {

struct Driver {
  CUresult (*get_error_name)(CUresult, const char **);
  CUresult (*get_error_string)(CUresult, const char **);
  CUresult (*get_context)(CUcontext *);
  CUresult (*set_context)(CUcontext);
  CUresult (*is_capturing)(CUstream, CUstreamCaptureStatus *);
  CUresult (*get_pointer_attributes)(unsigned, CUpointer_attribute *, void **, CUdeviceptr);

  /// The installed driver, null when there is none or it is too old.
  static const Driver *find();

  /// As `find`; throws `RuntimeError` when there is none.
  static const Driver &get();
};

/// Throws `RuntimeError` with the name and the text of an error.
void check(CUresult result);

/// Whether the stream's work becomes part of a graph. The stream's GPU must be current.
CUstreamCaptureStatus capture_status(Stream stream);

} // namespace host
