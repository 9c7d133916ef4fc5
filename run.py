#!/usr/bin/env python3
"""Set Pincite up in .venv and run it; nothing but Python's standard library and pip is needed.

    python3 run.py demo [options of `pincite demo`]     index the samples on first use and serve the page
    python3 run.py test                                 set everything up and run every test
    python3 run.py setup                                only set up; then .venv/bin/pincite is there

Dependencies come from constraints.txt (constraints-test.txt for tests), each pinned with its hashes. What is already
set up is not set up again: .venv/pincite-*.stamp hold a hash of what was installed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
NEEDED_GIB = 2.5


class SetupError(Exception):
    """One sentence for the user."""


def main(arguments: list[str]) -> int:
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if command not in ("demo", "test", "setup"):
        print(__doc__)
        return 2
    try:
        check_machine()
        make_venv()
        install_dependencies("constraints-test.txt" if command == "test" else "constraints.txt")
        install_package()
        if command == "demo":
            return run_demo(rest)
        if command == "test":
            sys.path.insert(0, str(ROOT / "tests"))
            from everything import run_everything

            return run_everything(ROOT, BIN)
        print(f"Ready: {BIN / 'pincite'} --help")
        return 0
    except SetupError as error:
        print(f"\n{error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def check_machine() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 - what an older Python gets to see
        raise SetupError(
            f"Pincite needs Python 3.11 or newer; this is {sys.version.split()[0]}: run it with a newer one."
        )
    if not os.access(ROOT, os.W_OK):
        raise SetupError(f"{ROOT} may not be written by this user: copy the folder to a place of your own.")
    free = shutil.disk_usage(ROOT).free / 2**30
    if free < NEEDED_GIB and not VENV.exists():
        raise SetupError(f"Only {free:.1f} GiB are free on the disk of {ROOT}: {NEEDED_GIB} GiB are needed.")


def make_venv() -> None:
    if PYTHON.exists():
        return
    say("making .venv")
    try:
        venv.create(VENV, with_pip=True, clear=VENV.exists())
    except (subprocess.CalledProcessError, SystemExit, OSError):
        # Debian's python3 without python3-venv has no ensurepip: the system's pip then installs into .venv from outside
        venv.create(VENV, with_pip=False, clear=True)


def pip(*arguments: str) -> None:
    inside = subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True).returncode == 0
    command = [str(PYTHON), "-m", "pip"] if inside else [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    environment = os.environ | {"PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_REQUIRE_VIRTUALENV": "0"}
    done = subprocess.run([*command, *arguments], cwd=ROOT, env=environment, text=True, capture_output=True)
    if done.returncode:
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        if any("No space left" in line for line in lines):
            raise SetupError(f"The disk of {ROOT} is full: free some space and run this again.")
        if any("No module named pip" in line for line in lines):
            raise SetupError("This Python has no pip: install it (Debian: apt install python3-pip) and run this again.")
        tail = "\n  ".join(lines[-12:])
        raise SetupError(f"pip could not install what Pincite needs; its last words:\n  {tail}")


def install_dependencies(constraints: str) -> None:
    wanted = digest([ROOT / constraints])
    stamp = VENV / f"pincite-{constraints}.stamp"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    say("installing the pinned dependencies (first run: one or two minutes)")
    pip("install", "--quiet", "--require-hashes", "-r", constraints)
    stamp.write_text(wanted)


def install_package() -> None:
    wanted = digest(package_files())
    stamp = VENV / "pincite-package.stamp"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    say("building the page and installing Pincite")
    pip("install", "--quiet", "--no-deps", "--no-build-isolation", "--force-reinstall", ".")
    stamp.write_text(wanted)


def package_files() -> list[Path]:
    """Everything that the installed package is made of."""
    single = [ROOT / name for name in ("pyproject.toml", "hatch_build.py", "README.md")]
    folders = [ROOT / "src", ROOT / "web", ROOT / "samples"]
    ignored = {"node_modules", "__pycache__", "static", "test-results"}
    files: list[Path] = []
    for top in folders:
        for folder, inside, names in os.walk(top):
            inside[:] = [name for name in inside if name not in ignored]
            files += [Path(folder, name) for name in names]
    return sorted(path for path in single + files if path.is_file())


def digest(files: list[Path]) -> str:
    total = hashlib.sha256()
    for path in files:
        total.update(f"{path.relative_to(ROOT).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()


def run_demo(arguments: list[str]) -> int:
    command = [str(BIN / "pincite"), "demo", *arguments]
    if os.name != "nt":
        os.execv(command[0], command)  # whoever stops this script then stops the server itself
    process = subprocess.Popen(command)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue  # the server got it too and is closing down


def say(what: str) -> None:
    print(f"[{time.strftime('%H:%M:%S')}] {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
