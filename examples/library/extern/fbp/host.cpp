#include <algorithm>
#include <stdexcept>

#include "rays.h"

namespace fbp {

void Sizes::check() const {
  for (const std::int64_t count : {angles, bins, size}) {
    if (count < 1 || count > 1 << 15) {
      throw std::invalid_argument("angles, bins and size must be between 1 and 32768");
    }
  }
}

std::int64_t Sizes::padded() const {
  std::int64_t length = 2;
  while (length < 2 * bins) {
    length *= 2;
  }
  return length;
}

void project_row(const Ellipse *ellipses, std::int64_t n, const Geometry &geometry,
                 const Sizes &sizes, std::int64_t angle, float *row) {
  for (std::int64_t bin = 0; bin < sizes.bins; ++bin) {
    row[bin] = integral(ellipses, n, geometry, sizes, angle, bin);
  }
}

template <class T> static std::vector<std::complex<T>> roots_of(std::int64_t length) {
  std::vector<std::complex<T>> roots;
  for (std::int64_t k = 0; k < length / 2; ++k) {
    roots.push_back(std::polar(T(1), T(-2 * pi * double(k) / double(length))));
  }
  return roots;
}

/// The forward transform, in place.
template <class T>
static void transform(std::vector<std::complex<T>> &x, const std::vector<std::complex<T>> &roots) {
  const std::size_t length = x.size();
  for (std::size_t i = 1, j = 0; i < length; ++i) {
    std::size_t bit = length / 2;
    for (; (j & bit) != 0; bit /= 2) {
      j ^= bit;
    }
    j ^= bit;
    if (i < j) {
      std::swap(x[i], x[j]);
    }
  }
  for (std::size_t half = 1; half < length; half *= 2) {
    for (std::size_t first = 0; first < length; first += 2 * half) {
      for (std::size_t k = 0; k < half; ++k) {
        const std::complex<T> low = x[first + k];
        const std::complex<T> high = x[first + k + half] * roots[k * (length / 2 / half)];
        x[first + k] = low + high;
        x[first + k + half] = low - high;
      }
    }
  }
}

/// Kak and Slaney, Principles of Computerized Tomographic Imaging (1988), section 3.3.
std::vector<float> ramp(const Sizes &sizes, const Geometry &geometry) {
  sizes.check();
  if (!(geometry.bin_width > 0) || !(geometry.pixel_width > 0)) {
    throw std::invalid_argument("bin_width and pixel_width must be positive");
  }
  const std::int64_t length = sizes.padded();
  std::vector<std::complex<double>> x(std::size_t(length), 0);
  x[0] = 0.25;
  for (std::int64_t i = 1; i < length; i += 2) {
    const auto distance = double(std::min(i, length - i));
    x[std::size_t(i)] = -1 / (pi * pi * distance * distance);
  }
  transform(x, roots_of<double>(length));
  const double scale = pi / (double(sizes.angles) * geometry.bin_width * double(length));
  std::vector<float> spectrum;
  for (std::int64_t k = 0; k <= length / 2; ++k) {
    spectrum.push_back(float(scale * x[std::size_t(k)].real()));
  }
  return spectrum;
}

std::vector<float> directions(const Sizes &sizes) {
  std::vector<float> found;
  for (std::int64_t angle = 0; angle < sizes.angles; ++angle) {
    found.push_back(std::cos(angle_of(sizes, angle)));
    found.push_back(std::sin(angle_of(sizes, angle)));
  }
  return found;
}

HostPlan::HostPlan(const Sizes &sizes, const Geometry &geometry)
    : sizes_(sizes), geometry_(geometry), ramp_(ramp(sizes, geometry)),
      directions_(directions(sizes)), roots_(roots_of<float>(sizes.padded())) {}

void HostPlan::filter_row(const float *row, float *filtered) const {
  std::vector<std::complex<float>> x(row, row + sizes_.bins);
  x.resize(std::size_t(sizes_.padded()));
  transform(x, roots_);
  for (std::size_t k = 0; k < x.size(); ++k) {
    x[k] *= ramp_[k < ramp_.size() ? k : x.size() - k];
  }
  transform(x, roots_); // and now the row is in it backwards
  for (std::int64_t bin = 0; bin < sizes_.bins; ++bin) {
    filtered[bin] = x[std::size_t(bin == 0 ? 0 : sizes_.padded() - bin)].real();
  }
}

void HostPlan::backproject_row(const float *filtered, std::int64_t row, float *pixels) const {
  for (std::int64_t column = 0; column < sizes_.size; ++column) {
    pixels[column] =
        gather(filtered, sizes_.bins, directions_.data(), geometry_, sizes_, row, column);
  }
}

} // namespace fbp
