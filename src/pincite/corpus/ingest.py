"""Files → library, each PDF read in a jailed child process under limits. One child dies, one file is reported."""

from __future__ import annotations

import contextlib
import hashlib
import os
import queue
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import psutil

from pincite.corpus import worker
from pincite.corpus.library import Library, disk_error, from_json
from pincite.errors import LibraryDamaged, UnreadablePdf
from pincite.types import ParsedDocument


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may cost."""

    document_s: float = 30.0
    per_page_s: float = 1.0
    """Added to ``document_s`` for each page the file says it has."""
    page_s: float = 10.0
    """One page, and the time from start to the first page."""
    memory_bytes: int = 1 << 30
    """Resident, measured every 50 ms. Address space cannot be the measure: numpy alone reserves more."""
    file_bytes: int = 300 << 20


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class FileRead:
    """What came of one file."""

    source: str
    """Base name."""
    path: Path
    sha256: str
    """"" when the file could not be opened at all."""
    parsed: ParsedDocument | None
    cached: bool
    """True when it had been parsed before by this parser."""
    reason: str
    """Why it could not be read, for people; "" when it was."""
    seconds: float


def find_pdfs(paths: Iterable[Path]) -> tuple[Path, ...]:
    """Return the files to read: those named, and every *.pdf under the folders named, sorted, none twice.

    A path that does not exist is returned too, so that it is reported. Hidden files and folders are passed over.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if not path.is_dir():
            found.setdefault(path)
            continue
        inside: list[Path] = []
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(f for f in folders if not f.startswith("."))
            inside += [Path(folder) / n for n in names if n.lower().endswith(".pdf") and not n.startswith(".")]
        for file in sorted(inside, key=lambda p: p.as_posix()):
            found.setdefault(file)
    return tuple(found)


def read_files(
    paths: Iterable[Path],
    library: Library,
    *,
    workers: int = 2,
    on_file: Callable[[FileRead], None] | None = None,
    limits: Limits = LIMITS,
) -> tuple[FileRead, ...]:
    """Return what came of every file, in the order of ``find_pdfs``; no file raises.

    ``on_file`` is called in the caller's thread as each file is done. Equal bytes are read once.

    Raises:
        DiskError: If the library cannot be written.
    """
    files = find_pdfs(paths)
    reads: dict[Path, FileRead] = {}
    by_hash: dict[str, list[Path]] = {}

    def done(read: FileRead) -> None:
        reads[read.path] = read
        if on_file:
            on_file(read)

    for path in files:
        started = time.monotonic()
        sha256, reason = _hash(path, limits)
        if reason:
            done(FileRead(path.name, path, sha256, None, False, reason, time.monotonic() - started))
        else:
            by_hash.setdefault(sha256, []).append(path)
    jobs: list[tuple[Path, str]] = []
    for sha256, same in by_hash.items():
        started = time.monotonic()
        try:
            parsed = library.parsed(sha256) if library.has_source(sha256) else None
        except LibraryDamaged:
            # The artefact is a cache: parsing again mends it.
            parsed = None
        if parsed is None:
            jobs.append((same[0], sha256))
            continue
        for path in same:
            done(FileRead(path.name, path, sha256, parsed, True, "", time.monotonic() - started))
    for job, outcome in _supervised([path for path, _ in jobs], workers, limits):
        path, sha256 = jobs[job]
        parsed, reason = outcome.parsed, outcome.reason
        if parsed is not None and parsed.sha256 != sha256:
            parsed, reason = None, "changed while it was read; index it again"
        if parsed is not None:
            try:
                library.keep_source(path, sha256)
                library.keep_parsed(parsed)
            except LibraryDamaged as error:
                parsed, reason = None, str(error)
        for twin in by_hash[sha256]:
            done(FileRead(twin.name, twin, sha256, parsed, False, reason, outcome.seconds))
    return tuple(reads[path] for path in files)


def inspect_pdf(path: Path, *, limits: Limits = LIMITS) -> ParsedDocument:
    """Return what the parser sees in one file, read in a jailed worker, without a library.

    Raises:
        UnreadablePdf: If the file cannot be read within its limits.
    """
    _, reason = _hash(path, limits)
    if reason:
        raise UnreadablePdf(reason, source=path.name)
    ((_, outcome),) = tuple(_supervised([path], 1, limits))
    if outcome.parsed is None:
        raise UnreadablePdf(outcome.reason, source=path.name)
    return outcome.parsed


def _hash(path: Path, limits: Limits) -> tuple[str, str]:
    """Return the file's hash and why it cannot be used; the reason is "" when it can."""
    digest = hashlib.sha256()
    try:
        if path.is_dir():
            return "", "is a folder, not a file"
        if not path.exists():
            return "", "there is no such file"
        if not path.is_file():
            return "", "is no regular file (a pipe or a device)"
        size = path.stat().st_size
        if size > limits.file_bytes:
            return (
                "",
                f"has {size >> 20} MB, more than {limits.file_bytes >> 20}; split it or make its pictures smaller",
            )
        with path.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    except OSError as error:
        return "", str(disk_error(error, path))
    sha256 = digest.hexdigest()
    return sha256, "" if size else "the file is empty (0 bytes); copy or download it again"


# ---------------------------------------------------------------- supervision


@dataclass(frozen=True, slots=True)
class _Outcome:
    parsed: ParsedDocument | None
    reason: str
    seconds: float


class _Child:
    """One worker process, with a thread that reads its answers so that the supervisor can wait with a time-out."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-B", "-P", "-m", worker.__name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self.frames: queue.Queue[bytes | None] = queue.Queue()
        self._memory = psutil.Process(self.process.pid)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        try:
            while (frame := worker.read_frame(cast(BinaryIO, self.process.stdout))) is not None:
                self.frames.put(frame)
        except (OSError, ValueError):
            pass
        self.frames.put(None)

    def send(self, path: Path) -> None:
        assert self.process.stdin is not None
        job = f"{path}\n{path.name}".encode("utf-8", "surrogateescape")
        worker.write_frame(cast(BinaryIO, self.process.stdin), job)

    def resident(self) -> int:
        try:
            return int(self._memory.memory_info().rss)
        except psutil.Error:
            return 0

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream:
                with contextlib.suppress(OSError):
                    stream.close()


def _supervised(paths: Sequence[Path], workers: int, limits: Limits) -> Iterable[tuple[int, _Outcome]]:
    """Yield the index of each path with what came of it, as they are done. Children end with the generator."""
    todo: queue.SimpleQueue[int] = queue.SimpleQueue()
    done: queue.SimpleQueue[tuple[int, _Outcome]] = queue.SimpleQueue()
    for i in range(len(paths)):
        todo.put(i)
    stopping = threading.Event()

    def run() -> None:
        child: _Child | None = None
        try:
            while not stopping.is_set():
                try:
                    i = todo.get_nowait()
                except queue.Empty:
                    return
                started = time.monotonic()
                try:
                    if child is None:
                        child = _started(stopping)
                    read = _read_one(child, paths[i], limits, stopping)
                except OSError as error:
                    read = _Read(None, f"the reader could not be started: {error}", False)
                except ValueError as error:
                    read = _Read(None, f"the reader said something that is no document: {error}"[:300], False)
                if not read.alive and child is not None:
                    child.stop()
                    child = None
                done.put((i, _Outcome(read.parsed, read.reason, time.monotonic() - started)))
        finally:
            if child is not None:
                child.stop()

    threads = (
        [threading.Thread(target=run, daemon=True) for _ in range(max(1, min(workers, len(paths))))] if paths else []
    )
    for thread in threads:
        thread.start()
    try:
        for _ in paths:
            yield done.get()
    finally:
        stopping.set()
        for thread in threads:
            thread.join(timeout=5)


def _started(stopping: threading.Event) -> _Child:
    """Return a child that is ready; its imports do not count against the first file.

    Raises:
        OSError: If it does not come up within a minute.
    """
    child = _Child()
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not stopping.is_set():
        try:
            frame = child.frames.get(timeout=0.05)
        except queue.Empty:
            continue
        if frame == worker.READY:
            return child
        break
    code = child.process.poll()
    child.stop()
    raise OSError(f"the worker process did not come up (exit code {code})")


@dataclass(frozen=True, slots=True)
class _Read:
    parsed: ParsedDocument | None
    reason: str
    alive: bool
    """Whether the child can take another file."""


def _read_one(child: _Child, path: Path, limits: Limits, stopping: threading.Event) -> _Read:
    """Return the document, or why there is none."""
    child.send(path.resolve())
    started = last = time.monotonic()
    allowed = limits.document_s
    page = pages = 0
    while not stopping.is_set():
        try:
            frame = child.frames.get(timeout=0.05)
        except queue.Empty:
            frame = b""
        now = time.monotonic()
        if frame is None:
            code = child.process.wait()
            return _Read(
                None,
                f"the reader crashed{_where(page, pages)} ({_signal(code)}); the file is damaged or hostile",
                False,
            )
        kind, body = frame[:1], frame[1:]
        if kind == worker.DONE:
            return _Read(from_json(body), "", True)
        if kind == worker.FAILED:
            return _Read(None, body.decode("utf-8", "replace"), True)
        if kind == worker.PAGE:
            page, pages = struct.unpack(">II", body)
            last, allowed = now, limits.document_s + limits.per_page_s * pages
        resident = child.resident()
        if resident > limits.memory_bytes:
            return _Read(None, f"used more than {_size(limits.memory_bytes)}{_where(page, pages)}", False)
        if now - started > allowed:
            return _Read(None, f"stopped after {now - started:.0f} s{_where(page, pages)}", False)
        if page <= pages and now - last > limits.page_s:
            return _Read(None, f"stopped after {now - last:.0f} s on one page{_where(page, pages)}", False)
    return _Read(None, "stopped", False)


def _size(count: int) -> str:
    return f"{count / (1 << 30):.3g} GiB" if count >= 1 << 30 else f"{count >> 20} MiB"


def _where(page: int, pages: int) -> str:
    if not page:
        return " while it was opened"
    return f" on page {page} of {pages}" if page <= pages else " after its last page"


def _signal(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    import signal

    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
