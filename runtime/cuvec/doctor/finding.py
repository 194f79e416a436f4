"""What a check found, and how it is told."""

import json
from collections.abc import Sequence
from typing import Literal, NamedTuple

Status = Literal["ok", "warning", "problem"]


class Finding(NamedTuple):
    """The outcome of one check; `hint` says what mends it."""

    check: str
    status: Status
    found: str
    hint: str = ""

    def __str__(self) -> str:
        hint = f"; {self.hint}" if self.hint else ""
        return f"{self.status:7}  {self.check}: {self.found}{hint}"


def in_json(findings: Sequence[Finding]) -> str:
    """Return them as a list of JSON."""
    return json.dumps([finding._asdict() for finding in findings], indent=2)
