"""docs/conda: recipe and tasks ask for what a package needs, for both versions of CUDA. Nothing of it is built: that needs conda-forge."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest
from generator import CUDA, scaffold
from packaging.requirements import Requirement
from rattler_build import PlatformConfig, RenderConfig, Stage0Recipe, VariantConfig
from shell import ROOT


@pytest.fixture(scope="module")
def package(folder: Path) -> Path:
    package = scaffold(folder / "mypkg")
    shutil.copytree(ROOT / "docs/conda", package / "conda")
    return package


@pytest.fixture(scope="module")
def needed(package: Path) -> dict[str, str]:
    """What the package needs, and in which versions, but for nvcc."""
    pyproject = tomllib.loads((package / "pyproject.toml").read_text())
    groups = pyproject["dependency-groups"]
    requirements = map(Requirement, [*pyproject["project"]["dependencies"], *groups["build"], *groups["test"]])
    return {it.name: str(it.specifier) for it in requirements if it.name != "cuda-toolkit"}


def by_name(lines: list[str]) -> dict[str, str]:
    return dict(line.split(" ") if " " in line else (line, "") for line in lines)


@pytest.mark.parametrize("platform", ["linux-64", "linux-aarch64"])
def test_recipe(platform: str, package: Path, needed: dict[str, str]) -> None:
    variants = VariantConfig.from_file(package / "conda/variants.yaml")
    config = RenderConfig(PlatformConfig(target_platform=platform))
    recipes = [
        it.recipe.to_dict() for it in Stage0Recipe.from_file(package / "conda/recipe.yaml").render(variants, config)
    ]
    versions = []
    for recipe in recipes:
        asked = recipe["requirements"]
        build, host = by_name(asked["build"]), by_name(asked["host"])
        found = {**build, **host, **by_name(asked["run"]), **by_name(recipe["tests"][1]["requirements"]["run"])}
        assert needed.items() <= found.items()
        assert build[f"cuda-nvcc_{platform}"] == host["cuda-version"]
        versions.append(host["cuda-version"].split(".")[0])
    assert sorted(versions) == sorted(CUDA)
    assert len({recipe["build"]["string"] for recipe in recipes}) == len(recipes)


def test_it_has_the_version_and_license_of_the_package(package: Path) -> None:
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    recipe = Stage0Recipe.from_file(package / "conda/recipe.yaml").to_dict()
    assert recipe["context"] == {"name": project["name"], "version": project["version"]}
    assert recipe["about"]["license"] == project["license"]
    assert recipe["about"]["license_file"] == project["license-files"]


def test_tasks(package: Path, needed: dict[str, str]) -> None:
    tasks = tomllib.loads((package / "conda/pixi.toml").read_text())
    found = {name: version.replace("*", "") for name, version in tasks["dependencies"].items()}
    assert needed.items() <= found.items()
    rust = tomllib.loads((package / "runtime/core/Cargo.toml").read_text())["package"]["rust-version"]
    assert found["rust"] == f">={rust}"
    versions = [feature["dependencies"]["cuda-version"].split(".")[0] for feature in tasks["feature"].values()]
    assert sorted(versions) == sorted(CUDA)
    assert tasks["environments"]["default"] == [f"cuda{CUDA[0]}"]
