"""The command's own words: what can be asked, with which options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ...core import linting, loading, rules_for
from ..coverage import coverage as covered
from ..coverage.data import named
from ..declared import DeclarationError
from ..inventory import inventory
from ..sweep import Plan, sweep
from . import profiles, reports, tables

_json = click.option(
    "--json",
    "to",
    type=click.Path(path_type=Path, allow_dash=True),
    help="Write a JSON report; - for stdout.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(None, "-V", "--version", package_name="chainrules", message="chainrules %(version)s")
def command() -> None:
    """Check, count, show and lint derivative rules, and profile programs."""


@command.command()
@click.argument("target")
@click.option(
    "--cases", multiple=True, help="A file, folder or module of cases, in place of pyproject.toml's."
)
@click.option("--only", default="", help="Only callables whose name contains this.")
@click.option("--seed", default=0, show_default=True, help="The seed of the random directions.")
@click.option("--order", default=1, show_default=True, help="2 differentiates the rules themselves, too.")
@click.option("--vary", is_flag=True, help="Check calls of other types and shapes, too.")
@click.option("-j", "--jobs", default=1, show_default=True, help="Processes to check in.")
@_json
def check(
    target: str,
    cases: tuple[str, ...],
    only: str,
    seed: int,
    order: int,
    vary: bool,
    jobs: int,
    to: Path | None,
) -> int:
    """Check every rule of TARGET, a library with rules or a package that registers some."""
    count, outcomes = sweep(Plan(target, cases, only, seed, order, vary), jobs)
    done = tables.progress(outcomes, count, f"checking {target}")
    report = reports.of_check(target, seed, done)
    write(report, to)
    if to != Path("-"):
        tables.check(report)
    return int(report["failed"] > 0)


@command.command()
@click.argument("target")
@click.option("--all", "every", is_flag=True, help="Show the functions that have rules, too.")
@click.option("--strict", is_flag=True, help="Exit status 1 where a function lacks a mode and is no gap.")
@_json
def coverage(target: str, every: bool, strict: bool, to: Path | None) -> int:
    """List the differentiable functions of TARGET (numpy, scipy, any module) with and without rules."""
    try:
        found = covered(target)
    except (ModuleNotFoundError, AttributeError) as error:
        raise DeclarationError(f"there is no module {target}", where=str(error), next="install it") from error
    write(reports.of_coverage(found), to)
    if to != Path("-"):
        tables.coverage(found, every)
    return int(strict and bool(found.missing))


@command.command()
@click.argument("name")
def rules(name: str) -> None:
    """Show the rules of one callable, as numpy.sum or mypackage.Model.predict, with file:line."""
    loading.load_all()
    try:
        f = find(name)
    except (ModuleNotFoundError, AttributeError) as error:
        raise DeclarationError(
            f"there is no {name}", where=str(error), next="say it with its module, as numpy.sum"
        ) from error
    click.echo(str(rules_for(f)))


@command.command(context_settings={"ignore_unknown_options": True})
@click.option("--memory", is_flag=True, help="Say which lines made what was held at the peak; slower.")
@click.option(
    "--every",
    type=click.FloatRange(0.0, min_open=True),
    default=1e-3,
    show_default=True,
    help="Seconds between two looks.",
)
@click.option("--to", type=click.Path(path_type=Path), help="Write a page with bars for a browser.")
@click.argument("script", type=click.Path(exists=True, dir_okay=False))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def profile(script: str, arguments: tuple[str, ...], memory: bool, every: float, to: Path | None) -> int:
    """Run SCRIPT with ARGUMENTS and show which of its lines, and which rules, its derivatives took."""
    return profiles.run(script, arguments, memory=memory, interval=every, to=to)


@command.command()
@click.argument("target")
@_json
def lint(target: str, to: Path | None) -> int:
    """Find mistakes in the rules of TARGET that can be seen without running them."""
    entries = inventory(target)
    found = linting.lint((entry.rules, entry.methods) for entry in entries)
    count = sum(len(entry.methods) for entry in entries)
    write(reports.of_lint(target, count, found), to)
    if to != Path("-"):
        tables.findings(found, count, target)
    return int(bool(found))


def find(name: str) -> Any:
    """What a dotted name stands for; without a module, what Python itself calls so."""
    try:
        return named(name)
    except ModuleNotFoundError:
        return named(f"builtins.{name}")


def write(report: dict[str, Any], to: Path | None) -> None:
    """The report as JSON, where one was asked for."""
    if to == Path("-"):
        sys.stdout.write(reports.as_json(report))
    elif to is not None:
        to.write_text(reports.as_json(report), encoding="utf-8")
