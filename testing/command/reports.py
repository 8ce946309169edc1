"""Reports as plain data, the same for a table and for JSON."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from ...core.linting import Finding
from ..coverage import Coverage
from ..sweep import Outcome


def of_check(target: str, seed: int, outcomes: list[Outcome]) -> dict[str, Any]:
    """What checking a package gave."""
    return {
        "target": target,
        "seed": seed,
        "rules": [vars(outcome) | {"passed": outcome.passed} for outcome in outcomes],
        "cases": sum(outcome.cases for outcome in outcomes),
        "variations": dict(Counter(left for outcome in outcomes for left in outcome.varied.values())),
        "refused": sum(bool(outcome.refused) for outcome in outcomes),
        "failed": sum(not outcome.passed for outcome in outcomes),
        "seconds": sum(outcome.seconds for outcome in outcomes),
    }


def of_coverage(found: Coverage) -> dict[str, Any]:
    """Which functions of a library have rules."""
    rows = found.differentiable
    return {
        "target": found.target,
        "differentiable": len(rows),
        "both": sum(row.status == "both" for row in rows),
        "missing": {row.name: row.status for row in found.missing},
        "gaps": found.gaps,
        "functions": {row.name: {"kind": row.kind, "status": row.status} for row in found.rows},
    }


def of_lint(target: str, count: int, found: list[Finding]) -> dict[str, Any]:
    """The findings of the linter."""
    rows = [
        {"code": f.code, "function": f.function, "rule": f.method.name, "mode": f.method.mode}
        | {"where": f.method.location, "what": f.what, "why": f.why, "next": f.next}
        for f in found
    ]
    return {"target": target, "rules": count, "findings": rows}


def as_json(report: dict[str, Any]) -> str:
    """The text of a report; numbers that JSON does not know are null."""
    return json.dumps(_plain(report), indent=1) + "\n"


def _plain(x: Any) -> Any:
    if isinstance(x, dict):
        return {key: _plain(value) for key, value in x.items()}
    if isinstance(x, list | tuple):
        return [_plain(value) for value in x]
    return None if isinstance(x, float) and not abs(x) < float("inf") else x
