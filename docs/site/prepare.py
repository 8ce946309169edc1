"""Lay the site's pages out in one folder: those written by hand, and those that are made.

Made are the reference (from `reference.toml`), the gallery (each example with its picture and its run
time), the table of coverage, and a page for each source file that a page links to.
`python scripts/run.py site` runs this and then Sphinx.

    python docs/site/prepare.py FOLDER [--no-examples]
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

SITE = Path(__file__).resolve().parent
ROOT = SITE.parents[1]
MOVED = {"README.md": "index", "benchmarks/RESULTS.md": "benchmarks", "CONTRIBUTING.md": "contributing",
         "CHANGELOG.md": "changelog", "examples/README.md": "gallery"}  # fmt: skip
"""Pages that stand elsewhere in the repository, and what they are called on the site."""
_LINK = re.compile(r"(\]\()([^)#:\s]+)((?:#[^)]*)?\))")


def prepare(folder: Path, run_examples: bool = True) -> None:
    """Write every page of the site into a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SITE.parent, folder, ignore=shutil.ignore_patterns("site", "_build"))
    for name in ("conf.py", "docstrings.py"):
        shutil.copy(SITE / name, folder / name)
    for file, page in MOVED.items():
        if page not in ("index", "gallery"):
            (folder / f"{page}.md").write_text((ROOT / file).read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "gallery.md").write_text(gallery(folder, run_examples), encoding="utf-8")
    (folder / "coverage.md").write_text(coverage(), encoding="utf-8")
    write_reference(folder / "api")
    write_sources(folder, link_pages(folder))


def link_pages(folder: Path) -> set[str]:
    """Point the links of every page to pages of the site; the source files that are linked to."""
    linked: set[str] = set()
    homes = {page: Path(file).parent for file, page in MOVED.items()}
    for page in sorted(folder.rglob("*.md")):
        name = page.relative_to(folder).with_suffix("").as_posix()
        home = ROOT / homes.get(name, Path("docs") / Path(name).parent)

        def moved(found: re.Match[str], page: Path = page, home: Path = home) -> str:
            target = _target(home / found[2], linked)
            if target is None:
                return found[0]
            return f"{found[1]}{os.path.relpath(folder / target, page.parent)}{found[3]}"

        text = page.read_text(encoding="utf-8")
        page.write_text(_LINK.sub(moved, text), encoding="utf-8")
    return linked


def _target(path: Path, linked: set[str]) -> str | None:
    """The page or picture of the site for a path in the repository; None where that is no such file."""
    path = path.resolve()
    if path.is_dir():
        path = path / ("README.md" if (path / "README.md").exists() else "__init__.py")
    if not path.is_file() or ROOT not in path.parents:
        return None
    file = path.relative_to(ROOT).as_posix()
    if file in MOVED:
        return f"{MOVED[file]}.md"
    if file.startswith("docs/") and file.endswith((".md", ".svg")):
        return file.removeprefix("docs/")
    linked.add(file)
    return f"source/{file}.md"


def write_sources(folder: Path, files: set[str]) -> None:
    """A page for each source file, and the list of them."""
    for file in sorted(files):
        page = folder / "source" / f"{file}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        language = {".py": "python", ".toml": "toml"}.get(Path(file).suffix, "text")
        body = (ROOT / file).read_text(encoding="utf-8")
        page.write_text(
            f"---\norphan: true\n---\n# {file}\n\n``````{language}\n{body}``````\n", encoding="utf-8"
        )
    names = "\n".join(f"- [{file}]({file}.md)" for file in sorted(files))
    (folder / "source" / "index.md").write_text(
        f"# Source files\n\nThe files that these pages speak of.\n\n{names}\n", encoding="utf-8"
    )


def write_reference(folder: Path) -> None:
    """A page for each group of public names, made by autodoc from the docstrings."""
    folder.mkdir()
    groups: dict[str, dict[str, str]] = tomllib.loads((SITE / "reference.toml").read_text(encoding="utf-8"))
    pages = []
    for title, group in groups.items():
        page = title.lower().replace(" ", "_")
        pages.append(page)
        module = group.get("module", "chainrules")
        names = group["names"].split() if "names" in group else _offered(module)
        entries = "\n".join(_directive(module, name) for name in names)
        (folder / f"{page}.md").write_text(
            f"# {title}\n\n{group['about']}\n\n```{{eval-rst}}\n{entries}```\n", encoding="utf-8"
        )
    tree = "\n".join(pages)
    (folder / "index.md").write_text(
        f"# Reference\n\nEvery public name, by what it is for.\n\n```{{toctree}}\n{tree}\n```\n",
        encoding="utf-8",
    )


def _offered(module: str) -> list[str]:
    """The names of a module that its own package defines."""
    offered = vars(import_module(module)).items()
    return sorted(n for n, v in offered if getattr(v, "__module__", "").startswith(module) and n[0] != "_")


def _directive(module: str, name: str) -> str:
    value: Any = getattr(import_module(module), name)
    if isinstance(value, type):
        kind = "autoexception" if issubclass(value, BaseException) else "autoclass"
    else:
        kind = "autofunction" if callable(value) else "autodata"
    return f".. {kind}:: {module}.{name}\n"


def gallery(folder: Path, run: bool) -> str:
    """The gallery: what the page of examples says of each, its run time and its picture."""
    text = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    pictures = folder / "pictures"
    pictures.mkdir()
    for file in sorted((ROOT / "examples").glob("*.py")):
        shown = [f"[Source]({file.name})"]
        if run:
            shown[0] += f", {seconds(file):.0f} s"
        picture = file.parent / "output" / f"{file.stem}.png"
        if picture.exists():
            shutil.copy(picture, pictures)
            shown += [f"![what {file.stem} draws](pictures/{file.stem}.png)"]
        about = re.compile(rf"^\*\*`{file.stem}`\*\*.*?(?=\n\n|\Z)", flags=re.M | re.S)
        text = about.sub(lambda found, shown=shown: "\n\n".join([found[0], *shown]), text)  # type: ignore[misc]  # a default
    return text.replace("# Examples", "# Gallery", 1)


def seconds(program: Path) -> float:
    """How long a program of the examples takes, which also draws its picture."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, str(program)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{program.name} failed:\n{done.stderr[-2000:]}")
    return time.perf_counter() - start


def coverage() -> str:
    """How many differentiable functions of each module have rules in both modes."""
    from chainrules.testing.coverage import coverage as covered

    lines = [
        "# Coverage",
        "",
        "Functions with a derivative that have rules in both modes, module by module.",
        "",
    ]
    lines += ["| module | differentiable | with rules | without |", "| --- | ---: | ---: | --- |"]
    for library in ("numpy", "scipy"):
        found = covered(library)
        for module in sorted({row.module for row in found.differentiable}):
            rows = [row for row in found.differentiable if row.module == module]
            without = [row.name.removeprefix(f"{module}.") for row in rows if row.status != "both"]
            names = ", ".join(f"`{name}`" for name in without[:6]) + (", …" if len(without) > 6 else "")
            lines.append(f"| `{module}` | {len(rows)} | {len(rows) - len(without)} | {names} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Lay out the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--no-examples", action="store_true", help="do not run the examples")
    options = parser.parse_args()
    prepare(options.folder, not options.no_examples)


if __name__ == "__main__":
    main()
