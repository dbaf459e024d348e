"""What is wrong with an input."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Optional


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong."""

    message: str
    """What is wrong, in lower case and without a final stop."""
    severity: str = "error"
    """``error`` or ``warning``."""
    code: Optional[str] = None
    """The stable name of the rule that is broken, where there is one."""
    span: Optional[tuple[int, int]] = None
    """Where it is: bytes of the input in UTF-8, begin and end."""
    line: Optional[int] = None
    """The line where it begins, from 1."""
    column: Optional[int] = None
    """The column where it begins, in bytes from 1."""
    help: Optional[str] = None
    """What helps against it."""

    def __str__(self) -> str:
        place = "" if self.line is None else f"{self.line}:{self.column}: "
        return f"{place}{self.message}"


class Problems(ValueError):
    """Everything that is wrong with an input, errors before warnings."""

    problems: tuple[Problem, ...]
    """What is wrong; never empty."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(problems)
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))

    @classmethod
    def _from_json(cls, text: str) -> Problems:
        problems = problems_from_json(text)
        return cls(tuple(sorted(problems, key=lambda problem: problem.severity != "error")))


def problems_from_json(text: str) -> tuple[Problem, ...]:
    """The problems of a list in JSON."""
    return tuple(map(_problem, json.loads(text)))


def _problem(told: dict[str, Any]) -> Problem:
    span, (line, column) = told["span"], told["line"] or (None, None)
    return Problem(
        message=told["message"],
        severity=told["severity"],
        code=told["code"],
        span=span and (span["start"], span["end"]),
        line=line,
        column=column,
        help=told["help"],
    )
