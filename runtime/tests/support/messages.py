"""Complete error messages."""

import re


def exactly(message):
    """Return a pattern for `pytest.raises` that matches exactly this message."""
    return f"^{re.escape(message)}$"
