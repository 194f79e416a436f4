"""How CI uploads a release: what runs where a token can be had, and what of a release is pinned."""

import re
import shlex
import zipfile
from itertools import product
from pathlib import Path

import pytest
import yaml
from generator import DOCS, KERNELS, RUNTIMES, scaffold
from pins import pin
from pypi import pypi
from shell import run
from workflow import runs

COMMIT = r"([\w.-]+/[\w.-]+)@[0-9a-f]{40}"
HASHED = '--require-hashes --only-binary ":all:" -r'


@pytest.fixture(scope="module", params=product(RUNTIMES, KERNELS, DOCS), ids="-".join)
def answers(request: pytest.FixtureRequest) -> dict[str, str]:
    return dict(zip(("runtime", "kernels", "docs"), request.param, strict=True))


@pytest.fixture
def github(answers: dict[str, str], tmp_path: Path) -> dict[str, dict]:
    """All workflows, by the names of their files."""
    folder = scaffold(tmp_path / "github", ci="github", **answers) / ".github/workflows"
    return {path.stem: yaml.safe_load(path.read_text()) for path in folder.glob("*.yml")}


@pytest.fixture
def gitlab(answers: dict[str, str], tmp_path: Path) -> dict[str, dict]:
    """The jobs, and what else stands beside them."""
    return yaml.safe_load((scaffold(tmp_path / "gitlab", ci="gitlab", **answers) / ".gitlab-ci.yml").read_text())


def test_the_tokens_of_github_are_in_jobs_that_only_upload(github: dict[str, dict], answers: dict[str, str]) -> None:
    assert all(workflow["permissions"] == {"contents": "read"} for workflow in github.values())
    jobs = {f"{name}: {job}": it for name, workflow in github.items() for job, it in workflow["jobs"].items()}
    found = {name: job for name, job in jobs.items() if "permissions" in job or "secrets" in str(job)}
    uploads = {"wheels: publish": ["actions/download-artifact", "pypa/gh-action-pypi-publish"]}
    if answers["docs"] == "sphinx":
        uploads["ci: pages"] = ["actions/deploy-pages"]
    used = {name: [re.fullmatch(COMMIT, step["uses"])[1] for step in job["steps"]] for name, job in found.items()}
    assert used == uploads
    for job in found.values():
        assert not runs(job)
        assert not {"container", "services", "env"} & job.keys()
    assert found["wheels: publish"]["permissions"] == {"id-token": "write"}


def test_uploads_to_pypi_are_attested(tmp_path: Path) -> None:
    """As the action does from 1.11 on, where it uploads without a password and is not told otherwise."""
    text = (scaffold(tmp_path / "mypkg", ci="github") / ".github/workflows/wheels.yml").read_text()
    upload = yaml.safe_load(text)["jobs"]["publish"]["steps"][-1]
    assert "with" not in upload
    version = re.search(re.escape(upload["uses"]) + r" # v(\d+)\.(\d+)", text)
    assert (int(version[1]), int(version[2])) >= (1, 11)


def test_the_token_of_gitlab_is_in_a_job_that_only_uploads(gitlab: dict[str, dict]) -> None:
    assert [name for name, job in gitlab.items() if "id_tokens" in job] == ["publish"]
    assert gitlab["default"].keys() == {"image", "interruptible"}, "nothing that runs before each job"
    assert gitlab["variables"].keys() == {"FORCE_COLOR"}
    publish = gitlab["publish"]
    # no cache, nothing that is run before, no other artifacts
    expected = {"image", "rules", "needs", "interruptible", "environment", "id_tokens", "variables", "script"}
    assert publish.keys() == expected
    assert publish["needs"] == ["sdist", "wheels"]
    # no code of the repository, and no runtime
    assert publish["variables"] == {"GIT_STRATEGY": "empty"}
    assert re.fullmatch(r"[\w.:-]+@sha256:[0-9a-f]{64}", publish["image"])
    write, install, upload = publish["script"]
    assert re.fullmatch(r"echo '[\w=.]+( --hash=sha256:[0-9a-f]{64})+' >/tmp/uv.txt", write)
    assert install == f"python -m pip install --isolated --no-deps {HASHED} /tmp/uv.txt"
    assert upload == "uv --no-config publish --trusted-publishing always wheelhouse/*"


@pytest.mark.parametrize("provider", ["github", "gitlab"])
def test_what_makes_a_release_has_hashes(provider: str, answers: dict[str, str], request) -> None:
    """But for `cuvec-runtime`, which is not published yet: where it is installed there is no token."""
    found = request.getfixturevalue(provider)
    jobs = found["wheels"]["jobs"] if provider == "github" else found
    commands = [runs(jobs[job]) if provider == "github" else jobs[job]["script"] for job in ("sdist", "wheels")]
    bundled = answers["runtime"] == "bundled"
    unpack = 'pip install --only-binary ":all:" --no-deps --target build --group runtime'
    for lines in commands:
        installs = [line for line in lines if " install " in line and "pip" in line]
        assert bundled or installs.pop(0).endswith(unpack)
        # Anything but a wheel would be built with whatever setuptools there is that day.
        assert [line.partition(" install ")[2] for line in installs] == [f"{HASHED} build/cuvec_runtime/release.txt"]
    # Both are checked before the job that has a token.
    assert all(any("twine check --strict" in line for line in lines) for lines in commands)


@pytest.fixture(scope="module")
def script(folder: Path) -> list[str]:
    return yaml.safe_load((scaffold(folder / "mypkg", ci="gitlab") / ".gitlab-ci.yml").read_text())["publish"]["script"]


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_gitlabs_job_installs_the_uv_that_we_check_with(script: list[str], machine: str, tmp_path: Path) -> None:
    """On the machines of its image, which has musl."""
    assert pin("uv") in script[0]
    (tmp_path / "uv.txt").write_text(shlex.split(script[0])[1])
    pip, options = shlex.split(script[1])[2], shlex.split(script[1])[3:-2]
    here = ("--platform", f"musllinux_1_1_{machine}", "--target", tmp_path / "there")
    run("python", "-m", pip, *options, *here, "--requirement", tmp_path / "uv.txt")
    assert list(tmp_path.glob("there/**/uv"))


def test_gitlabs_job_uploads_what_was_built(script: list[str], tmp_path: Path) -> None:
    names = ["mypkg-0.1.0-cp311-abi3-manylinux_2_28_x86_64.whl", "mypkg-0.1.0-cp312-abi3-manylinux_2_28_x86_64.whl"]
    (tmp_path / "wheelhouse").mkdir()
    for name in names:
        with zipfile.ZipFile(tmp_path / "wheelhouse" / name, "w") as wheel:
            information = "Metadata-Version: 2.4\nName: mypkg\nVersion: 0.1.0\n"
            wheel.writestr("mypkg-0.1.0.dist-info/METADATA", information)
            wheel.writestr("mypkg-0.1.0.dist-info/WHEEL", "Wheel-Version: 1.0\n")
    with pypi(tmp_path) as (server, env):
        run("sh", "-c", script[2], cwd=tmp_path, env={**env, "GITLAB_CI": "true", "PYPI_ID_TOKEN": "GitLab's"})
        assert server.asked == [
            ("/_/oidc/audience", ""),
            ("/_/oidc/mint-token", "GitLab's"),
            *(("/legacy/", name) for name in names),
            ("/_/oidc/burn-token", "pypi-minted"),
        ]
        asked = len(server.asked)
        run("sh", "-c", script[2], cwd=tmp_path, env={**env, "GITLAB_CI": "true"}, ok=False)  # without a token
        assert not [path for path, _ in server.asked[asked:] if path == "/legacy/"]


def test_renovate_pins_the_images_of_gitlab(gitlab: dict[str, dict]) -> None:
    """It reads names of images where they are used, and none that a variable has, but for the one that is its owner's."""
    jobs = [job for job in gitlab.values() if isinstance(job, dict)]
    images = [job["image"] for job in jobs if "image" in job]
    images += [service["name"] for job in jobs for service in job.get("services", [])]
    assert len(images) >= 5
    assert not [image for image in images if "$" in image]
