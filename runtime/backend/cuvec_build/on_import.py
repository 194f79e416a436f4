"""Messages of an editable install that builds what changed on import. This text is the end of its module with the finder."""

import sys

TYPE_CHECKING = False  # without `typing`: every start of Python in the environment runs this
if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.machinery import ModuleSpec
    from typing import Any

CORE = ".cuvec._core"
SECONDS = 1.0  # a build that has nothing to do takes less


def explained(package: str, rebuild: "Callable[[], None]") -> "Callable[[], None]":
    """Return a rebuild that prints a line if it takes long, and says what to do if it fails."""

    def build() -> None:
        from subprocess import CalledProcessError
        from threading import Timer

        line = f"{package}: building what changed, for this editable install"
        timer = Timer(SECONDS, print, [line], {"file": sys.stderr})
        timer.daemon = True
        timer.start()
        try:
            rebuild()
        except FileNotFoundError as error:
            if error.filename != "cmake":
                raise
            raise ImportError(
                "this editable install builds what changed, and there is no cmake on the PATH: "
                "activate its environment, or pip install cmake ninja"
            ) from None
        except CalledProcessError:
            raise ImportError(
                "this editable install builds what changed, and the build failed: "
                "correct the error above, and import it again"
            ) from None
        finally:
            timer.cancel()

    return build


def searched(package: str, find_spec: "Callable[..., ModuleSpec | None]") -> "Callable[..., Any]":
    """Return a search that prints a line the first time that the package, or a part of it, is reloaded."""
    told = False

    def find(name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        nonlocal told
        if target is not None and not told and f"{name}.".startswith(f"{package}."):
            told = True
            line = "importlib.reload keeps compiled functions; restart Python to use edited ones"
            print(f"{package}: {line}", file=sys.stderr)
        return find_spec(name, path, target)

    return find


# scikit-build-core's finders call `rebuild` for the first module that they find.
for finder in sys.meta_path:
    attributes = getattr(finder, "__dict__", {})
    if getattr(finder, "rebuild_flag", False) and "rebuild" not in attributes:
        for name in getattr(finder, "known_wheel_files", ()):
            if name.endswith(CORE):
                package = name.removesuffix(CORE)
                attributes["rebuild"] = explained(package, finder.rebuild)  # type: ignore[attr-defined]
                attributes["find_spec"] = searched(package, finder.find_spec)
