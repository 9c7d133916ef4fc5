"""Every check and test of the repository, one after the other; called by ``python3 run.py test``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

CHROMIUM = Path("/usr/bin/chromium")
MARIADB = Path("/usr/sbin/mariadbd")
POSTGRESQL = Path("/usr/lib/postgresql")


@dataclass(frozen=True)
class Check:
    name: str
    command: list[str]
    folder: Path


def run_everything(root: Path, bin_: Path) -> int:
    """Run all checks and print a table, with the reason of what could not run; return 0 when every one passed."""
    python = str(bin_ / "python")
    suites = {
        "browser": ensure("chromium", CHROMIUM),
        "databases": ensure("mariadb-server odbc-mariadb", MARIADB) or ensure("postgresql", POSTGRESQL),
    }
    checks = [
        Check("ruff", [str(bin_ / "ruff"), "check", "."], root),
        Check("format", [str(bin_ / "ruff"), "format", "--check", "."], root),
        Check("imports", [str(bin_ / "lint-imports")], root),
        Check("types", [str(bin_ / "basedpyright")], root),
        Check("tests", [python, "-m", "pytest", "--ignore=tests/browser", "--ignore=tests/databases"], root),
        Check("page", [python, "web/test.py"], root),
    ]
    checks += [
        Check(name, [python, "-m", "pytest", f"tests/{name}"], root) for name, missing in suites.items() if not missing
    ]
    results = [(check.name, *run(check)) for check in checks]
    print(
        "\n"
        + "\n".join(f"{name:10} {'passed' if ok else 'FAILED'}   {seconds:6.1f} s" for name, ok, seconds in results)
    )
    for name, missing in suites.items():
        if missing:
            print(f"{name:10} NOT RUN  {missing}")
    return 0 if all(ok for _, ok, _ in results) else 1


def run(check: Check) -> tuple[bool, float]:
    print(f"\n=== {check.name}", flush=True)
    begun = time.perf_counter()
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(check.command, cwd=check.folder, env=environment)
    return done.returncode == 0, time.perf_counter() - begun


def ensure(packages: str, place: Path) -> str:
    """Install Debian packages when that is possible; return why its tests cannot run, empty when they can."""
    if place.exists():
        return ""
    if shutil.which("apt-get") is None:
        return f"there is no {place}, and apt-get is missing to install it"
    if os.geteuid() != 0:
        return f"there is no {place}: install it (apt-get install {packages}) or run this as root"
    print(f"installing {packages} for tests", file=sys.stderr, flush=True)
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "-y", "--no-install-recommends", *packages.split()]):
        done = subprocess.run(["apt-get", "-qq", *command], capture_output=True, text=True, env=environment)
        if done.returncode:
            return f"apt-get {command[0]} failed: {done.stderr.strip().splitlines()[-1:]}"
    return "" if place.exists() else f"apt-get installed no {place}"
