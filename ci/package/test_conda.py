"""docs/conda: recipe and tasks ask for what a package needs, for both versions of CUDA. The recipe builds a package, which its tests
load, of packages that stand for conda-forge's. Their names and versions are those that are asked for; their files are this machine's."""

import os
import shutil
import tomllib
from pathlib import Path

import pytest
from conda_channel import PLATFORM, Channel
from environment import Environment
from files import copied, replace
from generator import CUDA, scaffold
from packaging.requirements import Requirement
from rattler_build import Package as CondaPackage
from rattler_build import PlatformConfig, RenderConfig, RenderedVariant, Stage0Recipe, ToolConfiguration, VariantConfig
from shell import ROOT

pytestmark = pytest.mark.night


@pytest.fixture(scope="module")
def package(folder: Path) -> Path:
    package = scaffold(folder / "mypkg")
    shutil.copytree(ROOT / "docs/conda", package / "conda")
    return package


@pytest.fixture(scope="module")
def needed(package: Path) -> dict[str, str]:
    """Requirements of the package, by name, and their versions; without nvcc."""
    pyproject = tomllib.loads((package / "pyproject.toml").read_text())
    groups = pyproject["dependency-groups"]
    requirements = map(Requirement, [*pyproject["project"]["dependencies"], *groups["build"], *groups["test"]])
    return {it.name: str(it.specifier) for it in requirements if it.name != "cuda-toolkit"}


def by_name(lines: list[str]) -> dict[str, str]:
    return dict(line.split(" ") if " " in line else (line, "") for line in lines)


def rendered(package: Path, platform: str = PLATFORM) -> list[RenderedVariant]:
    variants = VariantConfig.from_file(package / "conda/variants.yaml")
    config = RenderConfig(PlatformConfig(target_platform=platform))
    return Stage0Recipe.from_file(package / "conda/recipe.yaml").render(variants, config)


@pytest.mark.parametrize("platform", ["linux-64", "linux-aarch64"])
def test_recipe(platform: str, package: Path, needed: dict[str, str]) -> None:
    recipes = [it.recipe.to_dict() for it in rendered(package, platform)]
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
    rust = tomllib.loads((ROOT / "runtime/core/Cargo.toml").read_text())["package"]["rust-version"]
    assert found["rust"] == f">={rust}"
    versions = [feature["dependencies"]["cuda-version"].split(".")[0] for feature in tasks["feature"].values()]
    assert sorted(versions) == sorted(CUDA)
    assert tasks["environments"]["default"] == [f"cuda{CUDA[0]}"]


@pytest.fixture(scope="module")
def channel(nvcc_tools: Environment, folder: Path) -> str:
    """nvcc 13.0, with its headers and libraries, is PyPI's; CMake finds libraries as conda-forge's compilers have it look."""
    channel = Channel(folder / "channel")
    channel.add_python("3.11")
    for name in ("pip", "scikit-build-core", "numpy"):
        channel.add_library(name, "3.11")
    channel.add_library("pytest", "3.11", 'exec "$CONDA_PREFIX/bin/python" -m pytest "$@"')
    for name, version in (("cmake", "4.0"), ("ninja", "1.13")):
        channel.add_programs(name, version, {name: nvcc_tools.bin / name})
    paths = {name: shutil.which(name) for name in ("gcc", "g++")}
    compilers = f"export CC={paths['gcc']} CXX={paths['g++']} CMAKE_PREFIX_PATH=$PREFIX\n"
    channel.add("gxx_linux-64", "14.3", {"etc/conda/activate.d/gxx.sh": compilers})
    rustc = Path(os.environ.get("RUSTC") or str(shutil.which("rustc")))
    of_user = {name: os.environ[name] for name in ("HOME", "CARGO_HOME") if name in os.environ}
    channel.add_programs("rust_linux-64", "1.99", {it: rustc.with_name(it) for it in ("cargo", "rustc")}, of_user)
    (nvcc,) = nvcc_tools.bin.parent.glob("lib/python*/site-packages/nvidia/cu13/bin/nvcc")
    libraries = nvcc.parents[1] / "lib"
    channel.add_programs("cuda-nvcc_linux-64", "13.0", {"nvcc": nvcc}, {"NVCC_APPEND_FLAGS": f"-L{libraries}"})
    channel.add("cuda-cudart-dev", "13.0", {"lib/libcudart.so": libraries / "libcudart.so.13"})
    channel.add("cuda-cudart-static", "13.0", {"lib/libcudart_static.a": libraries / "libcudart_static.a"})
    for name, version in (
        ("cuda-version", "13.0"),
        ("cuda-cccl", "13.0"),
        ("sysroot_linux-64", "2.28"),
        ("python-abi3", "3.11"),
    ):
        channel.add(name, version)
    return channel.index()


def for_tests(package: Path) -> None:
    """For one GPU, and with the core that other tests have compiled."""
    recipe = package / "conda/recipe.yaml"
    cache = os.environ.get("CUVEC_CACHE", "0")
    replace(recipe, '      CUVEC_CACHE: "0"\n', f'      CUVEC_CACHE: "{cache}"\n      CUDAARCHS: "90"\n')


def test_it_is_built_and_tested(channel: str, package: Path, tmp_path: Path) -> None:
    """The tests of the recipe run, in environments of their own: a build fails with them."""
    copy = copied(package, tmp_path / "mypkg")
    for_tests(copy)
    (variant,) = [it for it in rendered(copy) if str(it.variant["cuda_compiler_version"]) == "13.0"]
    tests = ToolConfiguration(test_strategy="native")
    result = variant.run_build(tests, output_dir=tmp_path / "built", channels=[channel])
    (built,) = map(Path, result.packages)
    made = CondaPackage.from_file(built)
    assert (made.name, made.version, made.subdir, made.noarch) == ("mypkg", "0.1.0", PLATFORM, "python")
    assert {"python", "numpy >=1.26"} <= {*made.depends}
    modules = {f"site-packages/mypkg/cuvec/{name}.so" for name in ("_core.abi3", "_functions")}
    assert modules <= {*made.files}
    assert made.test_count == 2
