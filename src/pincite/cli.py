"""The command line: arguments in, results on standard output, everything else on standard error.

Exit codes: 0 done; 1 the answer is "no"; 2 wrong usage or unusable input, with one sentence that says what to do.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

import typer

from pincite import __version__
from pincite.errors import DiskError, PinciteError, UsageError

if TYPE_CHECKING:
    from pincite.build import House

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Answers from your own documents, every claim pinned to the page.",
)
evaluate_app = typer.Typer(no_args_is_help=True, help="Measure quality on cases.")
app.add_typer(evaluate_app, name="evaluate")
releases_app = typer.Typer(invoke_without_command=True, help="List the kept releases, newest first.")
app.add_typer(releases_app, name="releases")

LibraryOption = Annotated[
    Path | None, typer.Option("--library", help="Library directory (default: PINCITE_LIBRARY, else ./pincite-library).")
]
ConfigOption = Annotated[Path | None, typer.Option("--config", help="Configuration file, TOML.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")]
Mode = Literal["hybrid", "dense", "bm25"]


def main() -> NoReturn:
    """Run the command line; every error on purpose becomes one sentence and exit code 2."""
    try:
        app(standalone_mode=False)
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except typer.TyperException as error:
        error.show()
        sys.exit(2)
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)
    except PinciteError as error:
        _fail(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader, `head` perhaps, has had enough
        sys.exit(0)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EDQUOT, errno.EPERM):
            raise
        _fail(f"{error.filename or 'the disk'}: {error.strerror}. Free some space or choose another place")
    sys.exit(0)


def _fail(sentence: str) -> NoReturn:
    print(f"pincite: {sentence}", file=sys.stderr)
    sys.exit(2)


def _house(config: Path | None, library: Path | None) -> House:
    from pincite.build import House
    from pincite.settings import load

    return House(load(config, library))


def _print_json(value: Any) -> None:
    from pincite.serve.wire import encoded

    sys.stdout.write(encoded(value) + "\n")
