/* A fake CUDA driver; environment variables set what it reports. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int setting(const char *name, int otherwise) {
  const char *value = getenv(name);
  return value == NULL ? otherwise : atoi(value);
}

int cuInit(unsigned flags) { return (int)flags + setting("FAKE_ERROR", 0); }

int cuDriverGetVersion(int *version) {
  *version = setting("FAKE_VERSION", 13000);
  return 0;
}

int cuDeviceGetCount(int *count) {
  *count = setting("FAKE_COUNT", 1);
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
  const int capability = setting("FAKE_CAPABILITY", 90) + device;
  *value = attribute == 75 ? capability / 10 : capability % 10;
  return 0;
}
