"""The site builds without a warning, its links lead somewhere, and a browser shows its pages."""

import functools
import http.server
import importlib.util
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

import chainrules as cr

ROOT = Path(__file__).parents[2]
SITE = ROOT / "docs" / "site"
PARTS = {"__version__", "core", "engines", "implicit", "rules", "testing", "types"}
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ALONE = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --virtual-time-budget=5000 --dump-dom"
)


def test_every_public_name_stands_in_one_group_of_the_reference() -> None:
    groups = tomllib.loads((SITE / "reference.toml").read_text(encoding="utf-8"))
    names = [name for group in groups.values() for name in group.get("names", "").split()]
    assert sorted(names) == sorted(set(cr.__all__) - PARTS)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once; the examples have tests of their own and are not run for it."""
    for module in ("sphinx", "myst_parser", "furo", "sphinx_copybutton"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    pages, site = (tmp_path_factory.mktemp("site") / name for name in ("pages", "html"))
    prepare = [sys.executable, str(SITE / "prepare.py"), str(pages), "--no-examples"]
    build = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(pages), str(site)]
    for command in (prepare, build):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    return site


def test_its_links_lead_somewhere(site: Path) -> None:
    dead = []
    for page in site.rglob("*.html"):
        for target in re.findall(r'<a [^>]*href="([^"#]+)', page.read_text(encoding="utf-8")):
            if not re.match(r"[a-z]+:", target) and not (page.parent / unquote(target)).exists():
                dead.append(f"{page.relative_to(site)}: {target}")
    assert dead == []


def test_each_public_name_has_its_entry(site: Path) -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in (site / "api").glob("*.html"))
    assert [name for name in set(cr.__all__) - PARTS if f'id="chainrules.{name}"' not in text] == []


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """The site served on this machine."""
    handler = functools.partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *args: object) -> None:
        pass


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("index.html", ["Write a derivative rule once", "Differentiate a program", "value_and_grad"]),
        ("api/differentiate_a_program.html", ["chainrules.grad", "Shapes.", "[source]", "48.0"]),
    ],
)
def test_a_browser_shows_it(address: str, page: str, expected: list[str], tmp_path: Path) -> None:
    command = [str(CHROMIUM), *ALONE.split(), f"--user-data-dir={tmp_path}", f"{address}/{page}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    shown = re.sub(r"<script.*?</script>|<[^>]+>", "", done.stdout, flags=re.S)
    assert [words for words in expected if words not in shown] == []
