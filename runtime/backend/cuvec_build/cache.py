"""The user's folder for what can be made again, as `runtime/cmake/CacheFolder.cmake` finds it."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path


def cache_folder() -> Path | None:
    """Return the folder, or None where there is none or `CUVEC_CACHE` is 0."""
    named = os.environ.get("CUVEC_CACHE", "")
    try:
        if named:
            folder = Path(named).absolute()
        elif sys.platform == "win32":
            folder = Path(os.environ["LOCALAPPDATA"], "cuvec")
        else:
            folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "cuvec")
        if named == "0":
            return None
        folder.mkdir(parents=True, exist_ok=True)
    except (KeyError, OSError, RuntimeError):  # no home, or none to write to
        return None
    return folder


def key_of(*what: object) -> str:
    """Return a name for what JSON can say."""
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:16]
