/* A CUDA driver that says what the environment tells it to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int told(const char *name, int otherwise) {
  const char *value = getenv(name);
  return value == NULL ? otherwise : atoi(value);
}

int cuInit(unsigned flags) { return (int)flags + told("FAKE_ERROR", 0); }

int cuDriverGetVersion(int *version) {
  *version = told("FAKE_VERSION", 13000);
  return 0;
}

int cuDeviceGetCount(int *count) {
  *count = told("FAKE_COUNT", 1);
  return 0;
}

int cuDeviceGet(int *device, int index) {
  *device = index;
  return 0;
}

int cuDeviceGetName(char *name, int length, int device) {
  snprintf(name, (size_t)length, "Fake %d", device);
  return 0;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  *bytes = ((size_t)device + 2) << 30;
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  const int capability = told("FAKE_CAPABILITY", 90) + device;
  *value = attribute == 75 ? capability / 10 : capability % 10;
  return 0;
}
