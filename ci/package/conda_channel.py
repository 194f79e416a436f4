"""A channel of packages that stand for conda-forge's. A program in them starts one of this machine, a library for Python names its folder."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from environment import interpreter
from rattler_build import assemble_package
from shell import run

PLATFORM = "linux-64"


class Channel:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.records: dict[str, dict[str, object]] = {}

    def add(self, name: str, version: str, files: Mapping[str, str | Path] | None = None) -> None:
        """A package; a file is a text, or a path that a link leads to."""
        staged = self.folder.with_name(f"{self.folder.name}-files") / f"{name}-{version}"
        staged.mkdir(parents=True)
        for path, content in (files or {}).items():
            file = staged / path
            file.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Path):
                file.symlink_to(content)
            else:
                file.write_text(content)
                file.chmod(0o755)
        made = assemble_package(
            name, version, PLATFORM, "stub_0", self.folder / PLATFORM, files_dir=staged, compression_level=1
        )
        held = Path(made.path).read_bytes()
        self.records[Path(made.path).name] = {
            "name": name,
            "version": version,
            "build": "stub_0",
            "build_number": 0,
            "subdir": PLATFORM,
            "depends": [],
            "size": len(held),
            "sha256": hashlib.sha256(held).hexdigest(),
        }

    def add_programs(self, name: str, version: str, programs: Mapping[str, Path], env: Mapping[str, str] = {}) -> None:
        settings = "".join(f"export {key}='{value}'\n" for key, value in env.items())
        self.add(
            name,
            version,
            {f"bin/{called}": f'#!/bin/sh\n{settings}exec "{path}" "$@"\n' for called, path in programs.items()},
        )

    def add_python(self, version: str) -> None:
        """As an environment of this machine's: what is installed beside that one is not seen."""
        python = interpreter(version)
        full = run(python, "-c", "import platform; print(platform.python_version())").strip()
        settings = f"home = {python.parent}\ninclude-system-site-packages = false\nversion = {full}\n"
        links = dict.fromkeys(("bin/python", "bin/python3", f"bin/python{version}"), python)
        self.add("python", full, {**links, "pyvenv.cfg": settings})

    def add_library(self, name: str, python: str, program: str = "") -> None:
        """A library for Python from PyPI, with what it needs, and a program of the same name."""
        folder = self.folder.with_name(f"{self.folder.name}-libraries") / name
        run("uv", "pip", "install", "--quiet", "--python", interpreter(python), "--target", folder, name)
        (metadata,) = folder.glob(f"{name.replace('-', '_')}-*.dist-info")
        version = metadata.name.removesuffix(".dist-info").rpartition("-")[2]
        programs = {f"bin/{name}": f"#!/bin/sh\n{program}\n"} if program else {}
        self.add(name, version, {f"lib/python{python}/site-packages/{name}.pth": f"{folder}\n", **programs})

    def index(self) -> str:
        """The address of the channel, whose list of packages is written."""
        for subdir, records in ((PLATFORM, self.records), ("noarch", {})):
            (self.folder / subdir).mkdir(exist_ok=True)
            listing = {"info": {"subdir": subdir}, "packages": {}, "packages.conda": records, "repodata_version": 1}
            (self.folder / subdir / "repodata.json").write_text(json.dumps(listing))
        return self.folder.as_uri()
