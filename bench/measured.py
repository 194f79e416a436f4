"""Measurements, read from performance.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from record import Record

LIMIT = "CUDA C++"


class Kind(NamedTuple):
    """A subject's operation, and how many arrays it reads and writes."""

    operation: str
    arrays_moved: int


class Measured(NamedTuple):
    about: dict[str, str]
    packages: list[str]
    kinds: dict[str, Kind]
    records: list[Record]

    @classmethod
    def read(cls, file: Path) -> Measured:
        content = json.loads(file.read_text())
        return cls.of(content, content["records"])

    @classmethod
    def processes(cls, file: Path) -> list[Measured]:
        """Measurements of the first process of each subject, of the second one, and so on."""
        content = json.loads(file.read_text())
        return [cls.of(content, records) for records in content["processes"]]

    @classmethod
    def of(cls, content: dict, records: list[list]) -> Measured:
        kinds = {name: Kind(*kind) for name, kind in content["kinds"].items()}
        return cls(content["about"], content["packages"], kinds, [Record(*record) for record in records])

    def find(self, subject: str, work: str, size: int | None = None) -> Record | None:
        for record in self.records:
            if (record.subject, record.work) == (subject, work) and size in (None, record.size):
                return record
        return None

    def seconds(self, subject: str, work: str, size: int | None = None) -> float | None:
        record = self.find(subject, work, size)
        return record.median if record else None

    def over_size(self, subject: str, work: str) -> list[Record]:
        return [record for record in self.records if (record.subject, record.work) == (subject, work)]

    def best_policy(self, pattern: str) -> list[Record]:
        """The fastest way of plain CUDA C++ at each size."""
        best: dict[int, Record] = {}
        for record in self.records:
            if record.subject == LIMIT and record.work.startswith(f"{pattern}, "):
                best[record.size] = min(record, best.get(record.size, record), key=lambda r: r.median)
        return [best[size] for size in sorted(best)]
