"""Messages of errors, whole."""

import re


def exactly(message):
    """Return a pattern for `pytest.raises` that matches this message and no other."""
    return f"^{re.escape(message)}$"
