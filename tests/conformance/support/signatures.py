"""Signatures as `inspect` has them."""

import sys


def as_inspected(default):
    """Return a default as `inspect.signature` has it, which drops the comma of ``(False,)`` before Python 3.12."""
    is_one = isinstance(default, tuple) and len(default) == 1
    return default[0] if is_one and sys.version_info < (3, 12) else default
