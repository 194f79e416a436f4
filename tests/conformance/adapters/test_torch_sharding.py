"""PyTorch's DTensors, on two processes that gloo connects."""

import importlib

import pytest
import torch
import torch.multiprocessing
from package import NAME

pytestmark = pytest.mark.skipif(
    not torch.distributed.is_available(), reason="needs torch.distributed"
)

# Where results are, of tensors that are sharded along their first or their last dimension.
CASES = {
    "leading dimensions": ("operators.rms_norm(x, weight)", 0, "Shard(dim=0)"),
    "a batch": ("operators.gemv(torch.stack([weight, weight]), x)", 0, "Shard(dim=0)"),
    "a declared dimension": ("operators.rms_norm(x, weight)", 1, "Replicate()"),
    "whole arrays": ("operators.dot(x, x)", 0, "Replicate()"),
    "a derivative": (
        "gradient(lambda x: operators.rms_norm(x, weight).sum(), x)",
        0,
        "Shard(dim=0)",
    ),
}


def gradient(function, x):
    x = x.detach().requires_grad_()
    function(x).backward()
    return x.grad


def work(rank, file):
    torch.distributed.init_process_group("gloo", f"file://{file}", rank=rank, world_size=2)
    operators = importlib.import_module(f"{NAME}.torch")
    tensor = importlib.import_module("torch.distributed.tensor")
    importlib.import_module(f"{NAME}.cuvec.torch.sharding")
    mesh = tensor.init_device_mesh("cpu", (2,))
    whole, weights = torch.arange(24.0).reshape(4, 6), torch.arange(6.0)
    for name, (code, dim, placement) in CASES.items():
        known = {"operators": operators, "torch": torch, "gradient": gradient}
        expected = eval(code, {**known, "x": whole, "weight": weights})
        x = tensor.distribute_tensor(whole, mesh, [tensor.Shard(dim)])
        weight = tensor.distribute_tensor(weights, mesh, [tensor.Replicate()])
        found = eval(code, {**known, "x": x, "weight": weight})
        assert list(map(repr, found.placements)) == [placement], (name, found.placements)
        torch.testing.assert_close(found.full_tensor(), expected)
    torch.distributed.destroy_process_group()


def test_results_stay_where_loops_are_sharded(tmp_path):
    torch.multiprocessing.spawn(work, (tmp_path / "meeting",), nprocs=2)
