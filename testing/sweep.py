"""Checking every rule of a package: each declared case through `check_rule`, each rule without one a failure.

What comes out is plain data, one `Outcome` for each callable, that a table, a JSON report and the
pytest plugin show alike.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from typing import Any

from .api import check_rule
from .case import CheckError
from .declared import DeclaredCase, declared_for
from .inventory import Inventory, inventory
from .measure import measuring
from .refusals import refusal
from .settings import checking
from .variations import KINDS, PASSED, Variation, outcome, variations

TRIED = 4
"""At how many cases a kind of variation is tried before it is given up."""


@dataclass(frozen=True)
class Outcome:
    """What checking the rules of one callable gave; it passed where nothing failed."""

    name: str
    modes: tuple[str, ...]
    cases: int
    worst: float | None  # the worst relative error against differences
    seconds: float
    failures: tuple[str, ...] = ()
    exempt: tuple[str, ...] = ()  # why some of its rules need no case
    varied: dict[str, str] = field(default_factory=dict)  # what each kind of variation gave
    refused: tuple[str, ...] = ()  # why the rules themselves have no derivative at some case

    @property
    def passed(self) -> bool:
        return not self.failures


@dataclass(frozen=True)
class Plan:
    """What to check: a package, where its cases are declared, which of its callables, and the seed."""

    target: str
    where: tuple[str, ...] = ()
    only: str = ""  # a part of the name
    seed: int = 0
    order: int = 1  # 2 differentiates the rules themselves, too
    vary: bool = False  # checks each callable at calls of other types and shapes, too

    def entries(self) -> list[Inventory]:
        """The callables to check; reading them again in another process gives the same."""
        found = inventory(self.target, declared_for(self.target, self.where))
        return [entry for entry in found if self.only in entry.name]


def sweep(plan: Plan, jobs: int = 1) -> tuple[int, Iterator[Outcome]]:
    """How many callables there are to check, and the outcome of each as it comes."""
    entries = plan.entries()
    if jobs <= 1:
        return len(entries), (checked(entry, plan) for entry in entries)
    return len(entries), _in_parallel(plan, len(entries), jobs)


def checked(entry: Inventory, plan: Plan) -> Outcome:
    """Check the cases of one callable, and that there are cases for all of its rules."""
    start = time.perf_counter()
    failures = list(undeclared(entry))
    refused: list[str] = []
    with measuring() as measure:
        for declared in entry.cases:
            failure = failure_of(declared, plan.seed)
            if failure is not None:
                failures.append(failure)
            elif plan.order > 1:
                _second(declared, plan, failures, refused)
        varied = dict(_varied(entry, plan, failures)) if plan.vary else {}
    seconds = time.perf_counter() - start
    return Outcome(
        entry.name,
        entry.modes,
        len(entry.cases),
        measure.worst,
        seconds,
        tuple(failures),
        entry.exempt,
        varied,
        tuple(refused),
    )


def _second(declared: DeclaredCase, plan: Plan, failures: list[str], refused: list[str]) -> None:
    """Check a case whose derivative is right to a higher order, of which a rule may refuse one by name."""
    try:
        strictly(declared.f, declared.args, declared.kwargs, plan.seed, plan.order)
    except CheckError as error:
        (failures if (why := refusal(error)) is None else refused).append(why or str(error))
    except Exception as error:  # whatever it raises is a finding, and the sweep goes on
        failures.append(f"{declared}: {type(error).__name__}: {error}")


def _varied(entry: Inventory, plan: Plan, failures: list[str]) -> Iterator[tuple[str, str]]:
    """Each kind of variation, of the first case where it can be checked, with what it gave."""
    for kind in KINDS:
        left = ""
        for declared, variation in _of_kind(entry, kind):
            try:
                left = varied_outcome(declared, variation, plan.seed, plan.order)
            except AssertionError as error:
                failures.append(str(error))
                left = "failed"
            except Exception as error:  # whatever it raises is a finding, and the sweep goes on
                failures.append(f"{declared}, {kind}: {type(error).__name__}: {error}")
                left = "failed"
            if left in (PASSED, "failed"):
                break
        if left:
            yield kind, left


def _of_kind(entry: Inventory, kind: str) -> Iterator[tuple[DeclaredCase, Variation]]:
    """The first few cases with their variation of one kind."""
    made = ((case, v) for case in entry.cases for v in variations(case.args) if v.kind == kind)
    return islice(made, TRIED)


def varied_outcome(declared: DeclaredCase, variation: Variation, seed: int = 0, order: int = 1) -> str:
    """What one variation of a case gave; raises where it fails."""

    def check(*x: Any) -> None:
        strictly(declared.f, x, declared.kwargs, seed, order)

    return outcome(check, declared.f, variation, declared.kwargs)


def strictly(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], seed: int, order: int) -> None:
    """`check_rule`, where a warning is a failure, as it is in tests."""
    with warnings.catch_warnings(), checking(seed=seed, order=order):
        warnings.simplefilter("error")
        check_rule(f, *args, **kwargs)


def undeclared(entry: Inventory) -> Iterable[str]:
    """One sentence for each rule that no case reaches."""
    if entry.undeclared and not entry.cases:
        yield f"no case is declared for {entry.name}\n  next: add declare({entry.name}, …) to a list CASES"
        return
    for m in entry.undeclared:
        yield f"no case reaches the {m.mode} rule {m}\n  next: declare one with arguments of its types"


def failure_of(declared: DeclaredCase, seed: int = 0, order: int = 1) -> str | None:
    """Why a case fails; None where it holds."""
    try:
        strictly(declared.f, declared.args, declared.kwargs, seed, order)
    except AssertionError as error:
        return str(error)
    except Exception as error:  # whatever it raises is a finding, and the sweep goes on
        return f"{declared}: {type(error).__name__}: {error}"
    return None


def _in_parallel(plan: Plan, count: int, jobs: int) -> Iterator[Outcome]:
    """The outcomes from several processes, which read the plan for themselves: cases may hold lambdas."""
    start = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_start, initargs=(plan,))
    with _one_thread_each(), start as pool:
        yield from pool.map(_checked_at, range(count), chunksize=4)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes begun meanwhile do linear algebra in one thread each, where the environment says nothing."""
    if "OMP_NUM_THREADS" in os.environ:
        yield
        return
    os.environ["OMP_NUM_THREADS"] = "1"
    try:
        yield
    finally:
        del os.environ["OMP_NUM_THREADS"]


def _start(plan: Plan) -> None:
    global _plan, _entries
    _plan, _entries = plan, plan.entries()


def _checked_at(index: int) -> Outcome:
    return checked(_entries[index], _plan)


_plan = Plan("")
_entries: list[Inventory] = []
