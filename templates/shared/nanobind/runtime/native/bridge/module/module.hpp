// What the parts of the module add to it.
#pragma once

#include <nanobind/nanobind.h>

namespace nb = nanobind;

void import_numpy();
void add_errors(nb::module_ &module);
void add_buffer(nb::module_ &module);
void add_device(nb::module_ &module);
void add_functions(nb::module_ &module);
