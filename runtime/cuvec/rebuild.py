"""What goes wrong when an editable install builds what changed, while it is imported."""

from subprocess import CalledProcessError


def not_built(error: Exception) -> str:
    """Return what an import says that a build has ended with this error; empty for other errors."""
    if isinstance(error, FileNotFoundError) and error.filename == "cmake":
        return (
            "this editable install builds what changed, and there is no cmake on the PATH: "
            "activate its environment, or pip install cmake ninja"
        )
    if isinstance(error, CalledProcessError) and "cmake" in error.cmd:
        return (
            "this editable install builds what changed, and the build failed: "
            "correct the error above, and import it again"
        )
    return ""
