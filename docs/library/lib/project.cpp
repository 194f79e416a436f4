#include "project.h"
#include "pet.h"

static int nobody_calls_this(int a, unsigned b) { return a < b; } // a warning

void project(const float *x, float *y, long n) {
  for (long i = 0; i < n; ++i) {
    y[i] += float(x[i] * pet_weight(i));
  }
}
