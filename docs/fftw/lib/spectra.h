#pragma once

#include <complex>
#include <cstdint>

// Write |FFT|² of each of `rows` rows of `n` numbers. Rows run on the threads of OpenMP.
void power_spectra(const std::complex<double> *x, double *power, std::int64_t rows, std::int64_t n);
