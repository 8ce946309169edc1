"""Keep `testing/coverage/<library>.toml`, which says what each public callable of a library is.

    python scripts/coverage_data.py numpy                   names the installed library no longer has
                                                            go; what is new is printed, to be classified
    python scripts/coverage_data.py numpy --from table.csv  classes from a table module,name,class

Kinds: differentiable; discrete (truth values, indices, counts, steps); creation (arguments are sizes);
other (types, settings, text, input and output). To classify a name, move it by hand to its kind.
"""

from __future__ import annotations

import argparse
import csv
import textwrap
import tomllib
import warnings
from collections import defaultdict
from importlib import import_module
from pathlib import Path

from chainrules.testing.coverage.data import named, public

FOLDER = Path(__file__).parents[1] / "testing" / "coverage"
KINDS = ("differentiable", "discrete", "creation", "other")
OF_CLASS = {"nondiff": "discrete", "io_other": "other"}  # spellings that a table may have
Table = dict[str, dict[str, set[str]]]


def read(library: str) -> Table:
    """The data file as it stands; empty where there is none."""
    file = FOLDER / f"{library}.toml"
    parts = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {m: {kind: set(names.split()) for kind, names in named.items()} for m, named in parts.items()}


def from_csv(library: str, path: Path) -> Table:
    """The classes of a table module,name,class."""
    found: Table = defaultdict(lambda: defaultdict(set))
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["module"].partition(".")[0] == library:
                found[row["module"]][OF_CLASS.get(row["class"], row["class"])].add(row["name"])
    return found


def present(module: str, names: set[str]) -> set[str]:
    """Those names that the installed library has."""
    kept = set()
    for name in names:
        try:
            named(f"{module}.{name}")
        except AttributeError:
            continue
        kept.add(name)
    return kept


def write(library: str, table: Table) -> str:
    """The text of the data file, sorted and wrapped, so that a change reads as one."""
    lines = [f"# The public callables of {library} by kind; kept by scripts/coverage_data.py."]
    for module in sorted(table):
        lines += ["", f'["{module}"]']
        for kind in KINDS:
            if names := table[module].get(kind):
                body = textwrap.wrap(" ".join(sorted(names)), 106, break_on_hyphens=False)
                lines += [f'{kind} = """', *body, '"""']
    return "\n".join(lines) + "\n"


def main() -> None:
    """Rewrite one data file and print what it does not classify."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--from", dest="table", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # deprecated names warn when they are read
    table = read(options.library) if options.table is None else from_csv(options.library, options.table)
    kept = {m: {kind: present(m, names) for kind, names in named.items()} for m, named in table.items()}
    (FOLDER / f"{options.library}.toml").write_text(write(options.library, kept), encoding="utf-8")
    for module, named_kinds in kept.items():
        classified = {name.partition(".")[0] for names in named_kinds.values() for name in names}
        for name in sorted(public(import_module(module)).keys() - classified):
            print(f"not classified: {module}.{name}")


if __name__ == "__main__":
    main()
