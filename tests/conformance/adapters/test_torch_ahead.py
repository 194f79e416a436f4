"""Programs that AOTInductor compiles ahead, in processes of their own: where PyTorch cannot load one, it ends the process."""

import subprocess
import sys

import pytest
from package import NAME, cuvec

DEVICE = "cpu" if cuvec.device().kind == "cpu" else f"cuda:{cuvec.device().index}"

PROGRAM = f"""
import sys, warnings
warnings.simplefilter("ignore")
import torch
import {NAME}.torch

class InPlace(torch.nn.Module):
    def forward(self, x, y):
        BODY
        return y.sum()

device, path = sys.argv[1:]
ones = lambda: torch.ones(5, device=device)
exported = torch.export.export(InPlace(), (ones(), ones()))
torch._inductor.aoti_compile_and_package(exported, package_path=path)
y = ones()
print(torch._inductor.aoti_load_package(path)(ones(), y).item(), y.tolist())
"""


def compiled(body, *arguments):
    line = [sys.executable, "-c", PROGRAM.replace("BODY", body), *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, check=False)


@pytest.mark.may_skip
def test_they_write_in_place(tmp_path):
    ours = compiled(f"{NAME}.torch.axpy(2.0, x, y)", DEVICE, tmp_path / "ours.pt2")
    if (
        ours.returncode < 0
        and compiled("y.add_(x, alpha=2.0)", DEVICE, tmp_path / "plain.pt2").returncode < 0
    ):
        pytest.skip("PyTorch cannot load such programs here, of its own operators either")
    assert (ours.returncode, ours.stdout) == (0, "15.0 [3.0, 3.0, 3.0, 3.0, 3.0]\n"), ours.stderr
