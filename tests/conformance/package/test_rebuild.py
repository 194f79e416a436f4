"""An editable install whose build fails while it is imported."""

import pytest
from package import NAME

IMPORT = """
import subprocess
import sys

class Finder:  # as in scikit-build-core
    def find_spec(self, name, path=None, target=None):
        if name == "{package}.cuvec._core":
            raise {error}

sys.meta_path.insert(0, Finder())
try:
    import {package}
except Exception as error:
    print(type(error).__name__, error, error.__suppress_context__, sep="; ")
"""
FAILED = "this editable install builds what changed, and the build failed: "
NO_CMAKE = "this editable install builds what changed, and there is no cmake on the PATH: "


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ('subprocess.CalledProcessError(1, ["cmake", "--build", "."])', f"ImportError; {FAILED}"),
        ('FileNotFoundError(2, "none", "cmake")', f"ImportError; {NO_CMAKE}"),
        ('subprocess.CalledProcessError(1, ["true"])', "CalledProcessError; "),
        ('OSError("no space")', "OSError; no space"),
    ],
)
def test_an_import_says_why_it_was_not_built(run_python, error, said):
    output = run_python(IMPORT.format(package=NAME, error=error))
    assert output.startswith(said)
    assert output.endswith("True") == said.startswith("ImportError")
