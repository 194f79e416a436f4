// Ways across the bridge that only tests take.
#pragma once

#include "module.hpp"

void add_crossings(nb::module_ &module);
