// The structs of the library that Python knows.
#pragma once

#include <cuvec.h>
#include <fbp.h>

using fbp::Ellipse;
using fbp::Geometry;
CUVEC_STRUCT(Ellipse, x, y, a, b, angle, density);
CUVEC_STRUCT(Geometry, bin_width, pixel_width, axis);
