"""`chainrules profile SCRIPT`: a program run as Python would run it, under `chainrules.profile`."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ...core.profiling import profile


def run(
    script: str,
    arguments: Sequence[str],
    *,
    memory: bool = False,
    interval: float = 1e-3,
    to: Path | None = None,
) -> int:
    """Run a program and print its profile, whatever becomes of it; the status that it ends with."""
    watched = profile(interval=interval, memory=memory)
    argv, path = sys.argv, list(sys.path)
    sys.argv = [script, *arguments]
    sys.path.insert(0, str(Path(script).resolve().parent))
    status = 0
    try:
        with watched:
            try:
                runpy.run_path(script, run_name="__main__")
            except SystemExit as end:
                status = end.code if type(end.code) is int else int(end.code is not None)
    finally:
        sys.argv, sys.path = argv, path
        click.echo(str(watched.found))
        if to is not None:
            watched.found.save(to)
            click.echo(f"page: {to}")
    return status
