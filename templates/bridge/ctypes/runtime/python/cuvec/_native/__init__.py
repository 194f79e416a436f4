"""What `_core` is made of: a C library, and Python that calls it through ctypes."""
