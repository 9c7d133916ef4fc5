"""Rules of the repository that a machine can keep."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HOSTS = tuple(
    ".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("debian", "org"))
)
BINARY = {".pdf", ".png", ".ico", ".woff2"}


def committed() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a git checkout: there is no list of committed files")
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def texts() -> list[tuple[Path, str]]:
    return [(p, p.read_text(encoding="utf-8")) for p in committed() if p.suffix not in BINARY and p.is_file()]


def test_no_committed_file_names_a_registry_or_a_place_on_one_machine():
    places = re.compile(r"(?<![\w.])/(?:work|home|Users|root)/\w")
    wrong = [
        f"{path.relative_to(ROOT)}: {match}"
        for path, text in texts()
        for match in [*(host for host in HOSTS if host in text), *places.findall(text)]
        if path.name != "attacks.jsonl"
    ]

    assert wrong == []


@pytest.mark.parametrize("name", ["constraints.txt", "constraints-test.txt"])
def test_every_dependency_is_pinned_with_hashes_and_no_index(name):
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    pins = [i for i, line in enumerate(lines) if re.match(r"[a-z0-9]", line)]

    assert pins
    assert [lines[i] for i in pins if "==" not in lines[i] or "--hash=sha256:" not in lines[i + 1]] == []
    assert [line for line in lines if "index" in line and line.startswith("-")] == []


def test_the_lock_file_of_the_page_names_no_address():
    lock = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))

    assert [name for name, entry in lock["packages"].items() if "resolved" in entry] == []


def test_what_runs_in_ci_is_the_test_command_of_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ci = (ROOT / ".ci/run").read_text(encoding="utf-8")

    assert "python3 run.py test" in readme
    assert "python3 run.py demo" in readme
    assert "exec python3 run.py test" in ci


def test_no_file_of_the_product_has_outgrown_its_reader():
    long = {
        str(path.relative_to(ROOT)): len(text.splitlines())
        for path, text in texts()
        if path.is_relative_to(ROOT / "src") and len(text.splitlines()) > 600
    }

    assert long == {}
