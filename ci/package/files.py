"""Files that tests read, copy and change."""

import shutil
import tarfile
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path


def contents(wheel: Path) -> dict[str, bytes]:
    """The files in a wheel, by their paths."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def members(sdist: Path) -> dict[str, bytes]:
    """The files in an sdist, by their paths in its folder."""
    with tarfile.open(sdist) as tar:
        files = {it.name.partition("/")[2]: tar.extractfile(it) for it in tar if it.isfile()}
        return {name: file.read() for name, file in files.items() if file}


def metadata(wheel: Path) -> Message:
    (text,) = (text for name, text in contents(wheel).items() if name.endswith(".dist-info/METADATA"))
    return message_from_bytes(text)


def copied(package: Path, place: Path) -> Path:
    """A copy of a package as it was before the first build."""
    return Path(shutil.copytree(package, place, ignore=shutil.ignore_patterns("build")))


def replace(file: Path, old: str, new: str) -> None:
    """Replaces what is in the file once."""
    text = file.read_text()
    assert text.count(old) == 1, f"{file}: {old}"
    file.write_text(text.replace(old, new))


def append(file: Path, text: str) -> None:
    file.write_text(file.read_text() + text)


def program(file: Path, script: str) -> Path:
    """An executable script of the shell."""
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return file
