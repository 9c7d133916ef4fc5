# `just` lists these; each is one command that also works by hand.

set windows-shell := ["powershell.exe", "-c"]

bin := if os_family() == "windows" { ".venv/Scripts" } else { ".venv/bin" }
python := bin / "python"

_default:
    @just --list

# set everything up and run every test, as CI does
test:
    python3 run.py test

# index the samples on first use and serve the page
demo:
    python3 run.py demo

# the quick checks: style, formatting, imports, types
check:
    {{bin}}/ruff check .
    {{bin}}/ruff format --check .
    {{bin}}/lint-imports
    {{bin}}/basedpyright

# tests of one room while working on it: just unit tests/corpus
unit *paths="tests":
    PYTHONPATH=src {{python}} -m pytest --ignore=tests/browser --ignore=tests/databases {{paths}}

# write the hashed constraints anew after a change of dependencies in pyproject.toml
pin:
    uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url pyproject.toml --group build -o constraints.txt
    uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url -c constraints.txt pyproject.toml --extra ocr --extra server --extra odbc --group build --group dev -o constraints-test.txt

# rebuild the sample documents from their source
samples:
    {{python}} samples/make.py
