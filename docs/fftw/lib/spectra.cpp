#include "spectra.h"

#include <fftw3.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace {

using Plan = std::unique_ptr<fftw_plan_s, void (*)(fftw_plan_s *)>;

// FFTW makes and ends plans in one thread at a time, and runs them in any.
std::mutex planner;

void destroy(fftw_plan_s *plan) {
  const std::lock_guard<std::mutex> lock(planner);
  fftw_destroy_plan(plan);
}

Plan plan(std::int64_t n) {
  if (n > std::numeric_limits<int>::max()) { // FFTW counts by int
    throw std::invalid_argument("FFTW has no plan for rows of this size");
  }
  const std::lock_guard<std::mutex> lock(planner);
  const unsigned flags = FFTW_ESTIMATE | FFTW_UNALIGNED; // which looks at no array
  // In place, in whatever array it is run on.
  fftw_plan made = fftw_plan_dft_1d(static_cast<int>(n), nullptr, nullptr, FFTW_FORWARD, flags);
  if (made == nullptr) {
    throw std::invalid_argument("FFTW has no plan for rows of this size");
  }
  return {made, destroy};
}

} // namespace

void power_spectra(const std::complex<double> *x, double *power, std::int64_t rows,
                   std::int64_t n) {
  const Plan fft = plan(n);
#pragma omp parallel
  {
    std::vector<std::complex<double>> row(static_cast<std::size_t>(n));
    auto *values = reinterpret_cast<fftw_complex *>(row.data());
#pragma omp for
    for (std::int64_t i = 0; i < rows; ++i) {
      std::copy(x + i * n, x + (i + 1) * n, row.begin());
      fftw_execute_dft(fft.get(), values, values);
      for (std::int64_t k = 0; k < n; ++k) {
        power[i * n + k] = std::norm(row[static_cast<std::size_t>(k)]);
      }
    }
  }
}
