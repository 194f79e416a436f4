// Ways across the bridge that only tests take.
#pragma once

#include <nanobind/nanobind.h>

void add_crossings(nanobind::module_ &module);
