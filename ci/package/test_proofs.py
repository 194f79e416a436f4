"""proofs.py is about tests and packages that there are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from generator import SAMPLES, combinations
from proofs import PROOFS, Proof, host, representative


@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: proof.tests)
def test_a_row(proof: Proof) -> None:
    file, _, test = proof.tests.partition("::")
    text = (Path(__file__).parent / file).read_text()
    assert re.search(rf"^def {test or 'test_'}", text, re.MULTILINE)
    made = [combination for combination in combinations() if proof.of(combination)]
    assert 0 < len(made) < len(combinations())


def test_samples_are_listed() -> None:
    assert set(SAMPLES) <= set(combinations())


def test_there_is_one_representative_of_each_host_and_kernel_kind() -> None:
    kinds = [(host(each.bridge), each.kernels) for each in combinations() if representative(each)]
    assert len(kinds) == len(set(kinds))
    assert set(kinds) == {(host(each.bridge), each.kernels) for each in combinations()}
