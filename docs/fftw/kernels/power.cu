#include <cuvec.h>

#include "spectra.h"

#include <stdexcept>

using namespace cuvec;

struct power {
  static constexpr auto signature = "power(x: complex128(m,n)) -> float64(m,n)";
  static constexpr auto doc = "Return the power of each frequency of the rows of `x`.";

  static void cpu(In<complex128, 2> x, Out<double, 2> result) {
    power_spectra(reinterpret_cast<const std::complex<double> *>(x.data), result.data, x.size(0),
                  x.size(1));
  }

#ifdef CUVEC_CUDA
  static void gpu(In<complex128, 2> /*x*/, Out<double, 2> /*result*/) {
    throw std::runtime_error("it has no code for the GPU; CUVEC_DEVICE=cpu runs it");
  }
#endif
};
CUVEC_EXPORT(power);
