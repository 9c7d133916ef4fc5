"""What is right and wrong with an installation, each with what to do."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pincite.build import House, chat_endpoint, samples
from pincite.errors import NotIndexed, PinciteError
from pincite.settings import Settings, load

LOW_DISK_GIB = 1.0
"""A release of 15,000 chunks takes about 0.4 GiB, and the next one is built beside it."""


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    ok: bool
    message: str


def examine(config: Path | None, library: Path | None) -> tuple[Check, ...]:
    """Return every check in order; after a wrong configuration nothing else can be checked."""
    try:
        settings = load(config, library)
    except PinciteError as error:
        return (Check("configuration", False, str(error)),)
    house = House(settings)
    checks: tuple[tuple[str, Callable[[], str]], ...] = (
        ("embedding model", lambda: _embedding(house)),
        ("OCR", lambda: _ocr(settings)),
        ("chat models", lambda: _models(settings)),
        ("catalogue", lambda: _catalogue(house)),
        ("library", lambda: _library(house)),
        ("store", lambda: _store(house)),
        ("disk", lambda: _disk(settings.library)),
        ("page", _page),
        ("samples", lambda: f"{len(list(samples().glob('*.pdf')))} documents in {samples()}"),
    )
    return (Check("configuration", True, str(config or "defaults")), *(_check(name, run) for name, run in checks))


def _check(name: str, run: Callable[[], str]) -> Check:
    try:
        return Check(name, True, run())
    except PinciteError as error:
        return Check(name, False, str(error))


def _embedding(house: House) -> str:
    embedding, encoder = house.settings.embedding, house.encoder
    reads = f"{encoder.dimension} dimensions, reads {encoder.habits.max_tokens} tokens of a text"
    if embedding.base_url:
        return f"{encoder.model} at {embedding.base_url}: answers; {reads}"
    if embedding.directory:
        return f"{encoder.model} in {embedding.directory}: loads; {reads}"
    return f"{encoder.model}, built in, its vectors verified on this processor; {reads}"


def _models(settings: Settings) -> str:
    if not settings.models:
        return "none configured: the built-in extractive model answers, in quotations and source tables"
    from pincite.chat import ask_models

    said: list[str] = []
    wrong: list[str] = []
    for model in settings.models:
        try:
            said.append(f"{model.name}: {ask_models(chat_endpoint(model))}")
        except PinciteError as error:
            wrong.append(str(error))
    if wrong:
        raise PinciteError("; ".join([*wrong, *said, "the next model answers, in the end the built-in one"]))
    return "; ".join([*said, "then the built-in one"])


def _catalogue(house: House) -> str:
    catalogue = house.catalogue
    return (
        catalogue.check() if catalogue else "none configured: part numbers, prices and stock come from documents only"
    )


def _ocr(settings: Settings) -> str:
    from pincite.corpus.ocr import HOW_TO_INSTALL, find_engine, missing_languages

    if settings.ocr.engine == "off":
        return "switched off: pages without usable text are reported, not read"
    found = find_engine(settings.ocr.engine)
    if found is None and settings.ocr.engine != "auto":
        raise PinciteError(f"{settings.ocr.engine} is configured but not installed: install it, or set engine = 'auto'")
    if found is None:
        return f"not installed: pages without usable text are reported, not read; {HOW_TO_INSTALL}"
    lacking = missing_languages(found)
    return found.id + (f"; without language files for {', '.join(lacking)}" if lacking else "")


def _library(house: House) -> str:
    try:
        release = house.releases.current()
    except NotIndexed:
        return f"{house.root} is empty: `pincite index FOLDER` fills it"
    house.releases.register.of("")  # damaged, it would be found only by an order to forget
    house.releases.withdrawn.all()
    failed = sum(report.status == "failed" for report in release.documents)
    unread = f"; {failed} files could not be read: see `pincite index`" if failed else ""
    return f"{house.root}: release {release.id}, {len(release.revisions)} revisions, {release.chunks} chunks{unread}"


def _store(house: House) -> str:
    from pincite.serve.client import is_served

    where = house.engine.describe()
    if house.releases.current_id() is None:
        return f"{where}; nothing is published yet"
    if is_served(house.root):
        return f"{where}, open in the running server"
    found = len(house.retriever().search("pincite", k=1))
    house.retriever().close()
    return f"{where}, opens and answers ({found} passage for a trial search)"


def _disk(library: Path) -> str:
    place = next(path for path in (library, *library.absolute().parents) if path.exists())
    free = shutil.disk_usage(place).free / 2**30
    try:
        with tempfile.TemporaryFile(dir=place) as trial:
            trial.write(b"pincite")
    except OSError as error:
        raise PinciteError(f"{place} cannot be written ({error.strerror}): choose another --library") from error
    if free < LOW_DISK_GIB:
        raise PinciteError(f"only {free:.1f} GiB are free in {place}: free some space before the next index run")
    return f"{free:.0f} GiB free in {place}" + ("" if os.access(place, os.W_OK) else ", read-only")


def _page() -> str:
    index = Path(__file__).parent / "serve" / "static" / "index.html"
    if not index.is_file():
        raise PinciteError("the web page was not built into this installation: install with `pip install .`")
    return "built"
