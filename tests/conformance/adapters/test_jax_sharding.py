"""JAX: arrays on several devices, here four of XLA's on one CPU. Each works on its part of the dimensions that are loops."""

import json
import os
import re
import subprocess
import sys

import pytest
from package import NAME

pytest.importorskip("jax")

# Calls with arrays on two by two devices, and how the result is on them. `weight` is on all.
CASES = {
    "elementwise": ("functions.axpy(2.0, x, x + 1)", ["a", "b"]),
    "a traced scalar": ("functions.axpy(x.sum(), x, x + 1)", ["a", "b"]),
    "broadcast": ("functions.axpy(2.0, weight, x)", ["a", "b"]),
    "leading dimensions": ("functions.rms_norm(rows, weight)", ["a", None]),
    "loop dimensions": ("functions.gemv(jnp.stack([weight, weight]), rows)", ["a", None]),
    "vmap": ("jax.vmap(functions.dot)(rows, rows)", ["a"]),
    "vmap of what is written": (
        "jax.vmap(functions.axpy, (None, None, 0))(2.0, weight, rows)",
        ["a", None],
    ),
    "a derivative": ("jax.grad(lambda x: functions.rms_norm(x, weight).sum())(rows)", ["a", None]),
}

PROGRAM = f"""
import json
import jax, jax.numpy as jnp, numpy as np
import {NAME}.jax as functions

cases = json.loads({json.dumps(json.dumps({name: code for name, (code, _) in CASES.items()}))})
found = {{}}
for kind in jax.sharding.AxisType.Auto, jax.sharding.AxisType.Explicit:
    mesh = jax.make_mesh((2, 2), ("a", "b"), axis_types=(kind, kind))
    def put(it, *axes):
        return jax.device_put(it, jax.NamedSharding(mesh, jax.P(*axes)))
    host = np.arange(48, dtype="f4").reshape(8, 6), np.arange(48, dtype="f4").reshape(8, 6) / 7, np.arange(6, dtype="f4")
    x, rows, weight = put(host[0], "a", "b"), put(host[1], "a", None), put(host[2])
    for name, code in cases.items():
        f = eval("lambda x, rows, weight: " + code)
        if name != "broadcast" or kind is jax.sharding.AxisType.Auto:
            program = jax.jit(f)
            result, alone = program(x, rows, weight), program(*host)
            text = program.lower(x, rows, weight).compile().as_text()
            spec = [*result.sharding.spec, *[None] * result.ndim][: result.ndim]
            found[kind.name + " " + name] = [spec, "all-gather" in text, bool(np.allclose(result, alone))]
    eager = functions.axpy(2.0, x, x)
    found[kind.name + " eager"] = [[*eager.sharding.spec], False, bool(np.array_equal(eager, 3 * host[0]))]
    with jax.set_mesh(mesh):
        for name in ("elementwise", "leading dimensions", "vmap", "a derivative"):
            types = []
            def typed(x, rows, weight):
                result = eval(cases[name])
                types.append(str(jax.typeof(result)))
                return result
            result = jax.jit(typed)(x, rows, weight)
            spec = [*result.sharding.spec, *[None] * result.ndim][: result.ndim]
            found[kind.name + " mesh " + name] = [spec, types]
        def part(rows, weight):
            def loss(rows, weight):
                return jax.lax.psum(functions.rms_norm(rows, weight).sum(), "a")
            return jax.grad(loss, (0, 1))(rows, weight)
        def steps(x):
            return jax.lax.scan(lambda y, _: (functions.axpy(2.0, x, y), None), x, None, length=2)[0]
        split, whole = jax.P("a"), jax.P()
        gradients = jax.jit(jax.shard_map(part, in_specs=(split, whole), out_specs=(split, whole)))(rows, weight)
        def alone(rows, weight):
            return functions.rms_norm(rows, weight).sum()
        found[kind.name + " gradients of parts"] = [
            bool(np.allclose(*it, atol=1e-5)) for it in zip(gradients, jax.grad(alone, (0, 1))(*host[1:]), strict=True)
        ]
        scanned = jax.shard_map(steps, in_specs=split, out_specs=split)(rows)
        found[kind.name + " scan of parts"] = bool(np.allclose(scanned, 5 * host[1]))
        try:
            jax.shard_map(functions.dot, in_specs=split, out_specs=whole)(rows, rows)
        except ValueError as error:
            found[kind.name + " parts as a whole"] = "require replication" in str(error)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found():
    flags = "--xla_force_host_platform_device_count=4"
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags}
    line = [sys.executable, "-c", PROGRAM]
    said = subprocess.run(line, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(said.stdout)


@pytest.mark.parametrize("kind", ["Auto", "Explicit"])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.may_skip
def test_results_stay_on_the_devices_of_arguments(found, kind, case):
    if f"{kind} {case}" not in found:
        pytest.skip("JAX does not broadcast arrays on explicit axes")
    assert found[f"{kind} {case}"] == [CASES[case][1], False, True]


@pytest.mark.parametrize("kind", ["Auto", "Explicit"])
def test_so_do_results_of_calls_outside_of_programs(found, kind):
    assert found[f"{kind} eager"] == [["a", "b"], False, True]


TYPES = {
    "elementwise": "float32[8@a,6@b]",
    "leading dimensions": "float32[8@a,6]",
    "vmap": "float32[8@a]",
    "a derivative": "float32[8@a,6]",
}


@pytest.mark.parametrize("kind", ["Auto", "Explicit"])
@pytest.mark.parametrize("case", TYPES)
def test_types_of_results_have_the_axes_of_a_mesh(found, kind, case):
    spec, (*_, kind_of_result) = found[f"{kind} mesh {case}"]
    assert spec == CASES[case][1]
    said = TYPES[case] if kind == "Explicit" else re.sub("@.", "", TYPES[case])
    assert kind_of_result == said


@pytest.mark.parametrize("kind", ["Auto", "Explicit"])
def test_parts_of_arrays(found, kind):
    """In `jax.shard_map`, where types say over which axes an array varies."""
    assert found[f"{kind} gradients of parts"] == [True, True]
    assert found[f"{kind} scan of parts"] is True
    assert found[f"{kind} parts as a whole"] is True
