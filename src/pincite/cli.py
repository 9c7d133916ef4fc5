"""The command line: arguments in, results on standard output, everything else on standard error.

Exit codes: 0 done; 1 the answer is "no"; 2 wrong usage or unusable input, with one sentence that says what to do.
"""

from __future__ import annotations

import errno
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

import typer

from pincite import __version__
from pincite.errors import InputError, PinciteError, UsageError

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
releases_app = typer.Typer(help="The releases that are kept, and what changed between two of them.")
app.add_typer(releases_app, name="releases")

catalogue_app = typer.Typer(no_args_is_help=True, help="The parts catalogue, a database that is only read.")
app.add_typer(catalogue_app, name="catalogue")

LibraryOption = Annotated[
    Path | None,
    typer.Option("--library", help="Library directory (default: PINCITE_LIBRARY, else ./pincite-library)."),
]
ConfigOption = Annotated[Path | None, typer.Option("--config", help="Configuration file, TOML.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")]
Mode = Literal["hybrid", "dense", "bm25"]

_UNREADABLE = (UnicodeDecodeError, UnicodeEncodeError)
_NO_SPACE_OR_PERMISSION = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS)


def main() -> NoReturn:
    """Run the command line; every error on purpose becomes one sentence and exit code 2."""
    # Ended by the system, a command tidies up as when it is interrupted: it may have made a private copy of a release.
    signal.signal(signal.SIGTERM, _end)
    try:
        app()
    except PinciteError as error:
        _fail(str(error))
    except UnicodeError as error:
        _fail(f"what was given is not UTF-8 text ({error.reason if isinstance(error, _UNREADABLE) else error})")
    except OSError as error:
        if error.filename is None and error.errno not in _NO_SPACE_OR_PERMISSION:
            raise  # not about a file that somebody named
        _fail(f"{error.filename or 'the disk'}: {error.strerror}. Name another place, or change what is wrong with it")
    sys.exit(0)


def _end(number: int, _: FrameType | None) -> NoReturn:
    sys.exit(128 + number)


def _fail(sentence: str) -> NoReturn:
    typer.echo(f"pincite: {sentence}", err=True)
    sys.exit(2)


def _house(config: Path | None, library: Path | None) -> House:
    from pincite.build import House
    from pincite.settings import load

    return House(load(config, library), config=config)


def _print_json(value: object) -> None:
    from pincite.serve.wire import encoded

    typer.echo(encoded(value))


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pincite {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


# ---------------------------------------------------------------- indexing


@app.command()
def index(
    paths: Annotated[list[Path] | None, typer.Argument(help="PDF files, or folders of them.")] = None,
    passages: Annotated[Path | None, typer.Option(help="Passages made elsewhere: JSON Lines.")] = None,
    prune: Annotated[bool, typer.Option(help="Drop what is not named any more.")] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="Parsing processes (default: one for each core).")] = None,
    events: Annotated[bool, typer.Option(help="Print progress and result as JSON Lines {event, data}.")] = False,
    library: LibraryOption = None,
    config: ConfigOption = None,
    json: JsonOption = False,
) -> None:
    """Bring PDFs, or passages made elsewhere, into the library and publish a release."""
    from contextlib import nullcontext

    from pincite.show import index_json, index_report, progress, progress_lines

    if bool(paths) == bool(passages):
        raise InputError("name PDF files or folders, or give --passages FILE.jsonl: one of both", source="")
    for path in paths or []:
        if not path.exists():
            raise InputError(f"{path}: there is no such file or folder, so nothing was indexed", source=str(path))
    house = _house(config, library)
    with nullcontext(progress_lines()) if events else progress() as shown:
        indexer = house.indexer()
        if passages:
            run = indexer.index_passages(passages, prune=prune, progress=shown)
        else:
            run = indexer.index_pdfs(paths or [], prune=prune, workers=workers, progress=shown)
    if events:
        _print_json({"event": "result", "data": index_json(run)})
    elif json:
        _print_json(index_json(run))
    else:
        typer.echo(index_report(run))
    if run.documents and all(report.status == "failed" for report in run.documents):
        raise typer.Exit(1)


@app.command()
def documents(library: LibraryOption = None, config: ConfigOption = None, json: JsonOption = False) -> None:
    """List what is in the published release."""
    from pincite.serve.wire import documents_json
    from pincite.show import documents_table

    listed = documents_json(_house(config, library).releases.current())
    if json:
        _print_json(listed)
    else:
        typer.echo(documents_table(listed))


@app.command()
def sections(
    document: Annotated[str, typer.Argument(help="A document's id, as `pincite documents` lists it.")],
    library: LibraryOption = None,
    config: ConfigOption = None,
    json: JsonOption = False,
) -> None:
    """List the sections of a document with their pages."""
    from pincite.show import sections_tree

    found = _house(config, library).sections(document)
    if json:
        _print_json(found)
    else:
        typer.echo(sections_tree(found))


@releases_app.callback(invoke_without_command=True)
def releases(
    context: typer.Context, library: LibraryOption = None, config: ConfigOption = None, json: JsonOption = False
) -> None:
    """List the releases that are kept, newest first."""
    from pincite.show import releases_table

    if context.invoked_subcommand:
        return

    house = _house(config, library)
    live = house.releases.current().id
    listed = [
        {
            "release": release.id,
            "created": release.created,
            "live": release.id == live,
            "documents": len({revision.document for revision in release.revisions}),
            "chunks": release.chunks,
            "model": release.model,
            "parser": release.parser,
        }
        for release in house.releases.kept()
    ]
    if json:
        _print_json({"releases": listed})
    else:
        typer.echo(releases_table(listed))


@releases_app.command("diff")
def releases_diff(
    context: typer.Context,
    was: Annotated[str | None, typer.Argument(help="A kept release (default: the one before the live one).")] = None,
    now: Annotated[str | None, typer.Argument(help="Another (default: the live one).")] = None,
    library: LibraryOption = None,
    config: ConfigOption = None,
    json: JsonOption = False,
) -> None:
    """Show what changed between two releases: documents, sections, sentences and cells of tables.

    Ends with 0 when nothing did and with 1 when something did, as diff does.
    """
    from dataclasses import asdict

    from pincite.show import progress
    from pincite.show_difference import release_difference

    given = context.parent.params if context.parent else {}
    house = _house(config or given["config"], library or given["library"])
    with progress() as shown:
        difference = house.compare_releases(was, now, shown)
    if json or given["json"]:
        _print_json({"equal": difference.is_empty, **asdict(difference)})
    else:
        typer.echo(release_difference(difference))
    if not difference.is_empty:
        raise typer.Exit(1)


@app.command()
def rollback(
    release: Annotated[str | None, typer.Argument(help="A kept release (default: the one before).")] = None,
    library: LibraryOption = None,
    config: ConfigOption = None,
    json: JsonOption = False,
) -> None:
    """Publish an older release again."""
    house = _house(config, library)
    with house.releases.writing():
        target = house.releases.rollback(release, keep=house.settings.index.releases_kept)
    if json:
        _print_json({"release": target})
    else:
        typer.echo(f"release {target} is live")


@app.command()
def withdraw(
    document: Annotated[str, typer.Argument(help="A document's id, as `pincite documents` lists it.")],
    lift: Annotated[bool, typer.Option(help="Allow the bytes of a withdrawn document to be indexed again.")] = False,
    library: LibraryOption = None,
    config: ConfigOption = None,
    json: JsonOption = False,
) -> None:
    """Forget a document: nobody may read it from now on, and all that was made of it is removed."""
    from pincite.show import progress

    house = _house(config, library)
    if lift:
        with house.releases.writing():
            lifted = house.releases.withdrawn.lift(document)
        if not lifted:
            raise UsageError(f"{document} is not withdrawn")
        release = house.releases.current_id()
        said = f"the bytes of {document} may be indexed again; nothing of it came back"
    else:
        try:
            with progress() as shown:
                run = house.withdraw(document, progress=shown)
        except PinciteError as error:
            if document not in {order.document for order in house.releases.withdrawn.all()}:
                raise
            raise UsageError(
                f"nobody may read {document} any more, but not all of it is removed yet: {error}. Mend that and "
                f"run `pincite withdraw {document}` again"
            ) from error
        release = run.release.id if run else None
        live = f"release {release} without it is live" if release else "the library is empty now"
        said = (
            f"{document} is withdrawn: {live}; its files, what was made of them and the releases that held it are "
            "removed.\nThe journal still has the answers that quote it: delete those conversations on the page"
        )
    if json:
        _print_json({"document": document, "withdrawn": not lift, "release": release})
    else:
        typer.echo(said)


@app.command()
def inspect(
    file: Annotated[Path, typer.Argument(help="One PDF.")], config: ConfigOption = None, json: JsonOption = False
) -> None:
    """Show what the parser sees in one PDF, without a library."""
    from pincite.show import inspection, inspection_json

    house = _house(config, None)
    parsed, chunks = house.inspect(file)
    if json:
        _print_json(inspection_json(parsed, chunks))
    else:
        typer.echo(inspection(parsed, chunks))


@app.command()
def tables(
    files: Annotated[list[Path], typer.Argument(help="PDF files.")],
    config: ConfigOption = None,
    json: Annotated[bool, typer.Option("--json", help="Accepted; JSON Lines are printed always.")] = False,
) -> None:
    """Print the tables of PDFs as JSON Lines: {doc, page, cells}."""
    del json
    from pincite.show import table_json

    house = _house(config, None)
    refused = False
    for file in files:
        try:
            parsed = house.read(file)
        except InputError as error:
            typer.echo(f"pincite: {error}", err=True)
            refused = True
            continue
        for table in parsed.tables:
            _print_json({"doc": file.name, **table_json(table)})
    if refused:
        raise typer.Exit(2)


# ---------------------------------------------------------------- asking


@app.command()
def search(
    question: Annotated[str, typer.Argument(help="What to look for.")],
    k: Annotated[int, typer.Option("-k", min=1, max=100, help="Passages.")] = 10,
    mode: Annotated[Mode, typer.Option(help="Both legs, or one alone.")] = "hybrid",
    debug: Annotated[bool, typer.Option(help="Show scores: they mean nothing across questions.")] = False,
    library: LibraryOption = None,
    config: ConfigOption = None,
    json: JsonOption = False,
) -> None:
    """Find passages, best first."""
    from pincite.show import search_results

    found = _house(config, library).search(question, k=k, mode=mode, debug=debug)
    if json:
        _print_json(found)
    else:
        typer.echo(search_results(found))
    if not found["passages"]:
        raise typer.Exit(1)


@catalogue_app.command("lookup")
def catalogue_lookup(
    query: Annotated[str, typer.Argument(help="A part number, an OEM number, or words.")],
    library: LibraryOption = None,
    config: ConfigOption = None,
    json: JsonOption = False,
) -> None:
    """Look up parts in the configured catalogue: rows or nothing."""
    import time

    from pincite.serve.wire import lookup_json
    from pincite.show import lookup_table

    catalogue = _house(config, library).catalogue
    if catalogue is None:
        raise UsageError("no catalogue is configured: docs/catalogue.md shows what [catalogue] needs")
    begun = time.perf_counter()
    found = lookup_json(catalogue.lookup(query), round((time.perf_counter() - begun) * 1000))
    if json:
        _print_json(found)
    else:
        typer.echo(lookup_table(found, catalogue.name))
    if not found["rows"]:
        raise typer.Exit(1)


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="The question; - reads it from standard input.")],
    conversation: Annotated[str | None, typer.Option(help="Id of a conversation to go on with.")] = None,
    events: Annotated[bool, typer.Option(help="Print the events of the answer as JSON Lines.")] = False,
    library: LibraryOption = None,
    config: ConfigOption = None,
    json: JsonOption = False,
) -> None:
    """Answer a question, each sentence as it is verified."""
    from pincite.show import AnswerPrinter

    text = sys.stdin.read() if question == "-" else question
    house = _house(config, library)
    printer = AnswerPrinter(quiet=json or events)
    outcome: dict[str, Any] | None = None
    for event in house.ask(text, conversation=conversation):
        if events:
            _print_json(event)
        printer.show(event)
        if event["event"] == "outcome":
            outcome = event["data"]
        elif event["event"] == "error":
            _fail(event["data"]["message"])
    if outcome is None:
        _fail("the answer broke off: ask again")
    if json and not events:
        _print_json(outcome)
    if outcome["outcome"] != "answered":
        raise typer.Exit(1)


@app.command()
def gate(
    file: Annotated[Path | None, typer.Argument(help="JSON Lines (default: standard input).")] = None,
    json: Annotated[bool, typer.Option("--json", help="Accepted; JSON Lines are printed always.")] = False,
) -> None:
    """Judge answers against their contexts: JSON Lines {id, context, answer} in, verdicts out."""
    del json
    from pincite.build import gate_lines

    lines = file.read_text(encoding="utf-8").splitlines() if file else iter(sys.stdin)
    refused = False
    for result in gate_lines(lines):
        refused = refused or result["outcome"] != "answered"
        _print_json(result)
    if refused:
        raise typer.Exit(1)


@evaluate_app.command("retrieval")
def evaluate_retrieval(
    cases: Annotated[Path, typer.Argument(help="Cases, JSON Lines.")],
    k: Annotated[int, typer.Option("-k", min=1, max=100, help="Passages looked at.")] = 10,
    mode: Annotated[
        Mode | None, typer.Option(help="Measure one mode alone (default: hybrid, with both legs beside it).")
    ] = None,
    against: Annotated[Path | None, typer.Option(help="An earlier report, JSON: list what moved.")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the report as a page, HTML.")] = None,
    library: LibraryOption = None,
    config: ConfigOption = None,
    json: JsonOption = False,
) -> None:
    """Measure whether retrieval finds the pages that answer."""
    from pincite.evaluate.reports import read_report
    from pincite.evaluate.retrieval import to_html
    from pincite.show import retrieval_report

    house = _house(config, library)
    earlier = read_report(against, "retrieval") if against else None
    report = house.evaluate_retrieval(
        cases, k=k, modes=(mode,) if mode else ("hybrid", "dense", "bm25"), earlier=earlier
    )
    if out:
        out.write_text(to_html(report), encoding="utf-8")
    if json:
        _print_json(report)
    else:
        typer.echo(retrieval_report(report))
    if any(question["first_rank"] is None for question in report["questions"]):
        raise typer.Exit(1)


@evaluate_app.command("answers")
def evaluate_answers(
    cases: Annotated[Path, typer.Argument(help="Cases, JSON Lines.")],
    half: Annotated[
        Literal["open", "kept"] | None, typer.Option(help="Ask only this half of a set that keeps one aside.")
    ] = None,
    repeat: Annotated[int, typer.Option(min=1, help="Ask everything so often: are the answers the same?")] = 1,
    against: Annotated[Path | None, typer.Option(help="An earlier report, JSON: list what moved.")] = None,
    show: Annotated[bool, typer.Option(help="Print a line for each case.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write the report as a page, HTML.")] = None,
    library: LibraryOption = None,
    config: ConfigOption = None,
    json: JsonOption = False,
) -> None:
    """Measure whether answers hold what they must, cite the right page, and refuse the rest."""
    from pincite.evaluate.answers import to_html
    from pincite.evaluate.reports import read_report
    from pincite.show import answers_report, progress

    house = _house(config, library)
    earlier = read_report(against, "answers") if against else None
    with progress() as shown:
        report = house.evaluate_answers(cases, half=half, repeat=repeat, earlier=earlier, progress=shown)
    if out:
        out.write_text(to_html(report), encoding="utf-8")
    if json:
        _print_json(report)
    else:
        typer.echo(answers_report(report, each=show))
    if any(question["judgement"] != "right" for question in report["questions"]):
        raise typer.Exit(1)


# ---------------------------------------------------------------- serving


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address; other than loopback is refused until keys exist.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 8000,
    library: LibraryOption = None,
    config: ConfigOption = None,
) -> None:
    """Serve the page and the HTTP interface."""
    _house(config, library).serve(host, port, on_ready=lambda url: typer.echo(f"Pincite answers at {url}", err=True))


@app.command()
def demo(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 8000,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    library: Annotated[Path | None, typer.Option("--library", help="Library of the demo.")] = None,
    config: ConfigOption = None,
) -> None:
    """Index the samples on first use and serve the page over them."""
    import webbrowser

    from pincite.build import demo_house, samples
    from pincite.serve.server import check_port
    from pincite.show import progress

    check_port("127.0.0.1", port)  # before the work of indexing
    house = demo_house(config, library)
    typer.echo(f"the library of the demo is {house.root}", err=True)
    with progress() as shown:
        house.indexer().index_pdfs([samples()], prune=True, progress=shown)

    def ready(url: str) -> None:
        typer.echo(f"Pincite answers at {url}   (Ctrl-C stops it)", err=True)
        if browser and not webbrowser.open(url):
            typer.echo("no browser was found: open the address by hand", err=True)

    house.serve("127.0.0.1", port, on_ready=ready)


@app.command()
def doctor(library: LibraryOption = None, config: ConfigOption = None, json: JsonOption = False) -> None:
    """Check configuration, model, library, disk and page, and say what to do."""
    from pincite.doctor import examine
    from pincite.show import doctor_report

    checks = examine(config, library)
    if json:
        _print_json({"checks": checks})
    else:
        typer.echo(doctor_report(checks))
    if not all(check.ok for check in checks):
        raise typer.Exit(1)


if __name__ == "__main__":
    main()
