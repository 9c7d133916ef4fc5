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


@dataclass(frozen=True)
class Check:
    name: str
    command: list[str]
    folder: Path


def run_everything(root: Path, bin_: Path) -> int:
    """Run all checks and print a table, with the reason of what could not run; return 0 when every one passed."""
    python = str(bin_ / "python")
    missing = ensure_chromium()
    checks = [
        Check("ruff", [str(bin_ / "ruff"), "check", "."], root),
        Check("format", [str(bin_ / "ruff"), "format", "--check", "."], root),
        Check("imports", [str(bin_ / "lint-imports")], root),
        Check("types", [str(bin_ / "basedpyright")], root),
        Check("tests", [python, "-m", "pytest", "--ignore=tests/browser"], root),
        Check("page", [python, "web/test.py"], root),
    ]
    if not missing:
        checks.append(Check("browser", [python, "-m", "pytest", "tests/browser"], root))
    results = [(check.name, *run(check)) for check in checks]
    print(
        "\n"
        + "\n".join(f"{name:10} {'passed' if ok else 'FAILED'}   {seconds:6.1f} s" for name, ok, seconds in results)
    )
    if missing:
        print(f"{'browser':10} NOT RUN  {missing}")
    return 0 if all(ok for _, ok, _ in results) else 1


def run(check: Check) -> tuple[bool, float]:
    print(f"\n=== {check.name}", flush=True)
    begun = time.perf_counter()
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(check.command, cwd=check.folder, env=environment)
    return done.returncode == 0, time.perf_counter() - begun


def ensure_chromium() -> str:
    """Install Debian's Chromium when that is possible; return why the browser tests cannot run, empty when they can."""
    if CHROMIUM.exists():
        return ""
    if shutil.which("apt-get") is None:
        return "there is no /usr/bin/chromium, and apt-get is missing to install it"
    if os.geteuid() != 0:
        return "there is no /usr/bin/chromium: install it (apt-get install chromium) or run this as root"
    print("installing Chromium for the browser tests", file=sys.stderr, flush=True)
    for command in (["update"], ["install", "-y", "--no-install-recommends", "chromium"]):
        done = subprocess.run(["apt-get", "-qq", *command], capture_output=True, text=True)
        if done.returncode:
            return f"apt-get {command[0]} failed: {done.stderr.strip().splitlines()[-1:]}"
    return "" if CHROMIUM.exists() else "apt-get installed no /usr/bin/chromium"
