// Functions that Rust calls, through the `cxx::bridge` in lib.rs.
#pragma once

#include <cuvec/api.hpp>

/// Makes every element but the ends the mean of its neighbours; returns the largest change.
double sweep(double *x, std::size_t n);

/// Smooths `x` twice, into the buffer and back, on the side that the call is on.
void smooth(cuvec_call *call, double *x, double *buffer, std::size_t n, double strength);
