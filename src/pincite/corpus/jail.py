"""Supervised child processes: each does one job at a time under limits. One dies, one job is reported, no more.

Not a process pool: one aborted child breaks that for good. What goes in and comes out are frames of bytes.
"""

from __future__ import annotations

import contextlib
import os
import queue
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO, cast

import psutil

from pincite.corpus import worker


@dataclass(frozen=True, slots=True)
class Limits:
    """What one job may cost: a file, or for OCR one page."""

    document_s: float = 30.0
    per_page_s: float = 1.0
    """Added to ``document_s`` for each page the file says it has."""
    page_s: float = 10.0
    """One page, and the time from start to the first page."""
    memory_bytes: int = 1 << 30
    """Resident, its children's too, measured every 50 ms. Address space cannot be the measure: numpy reserves more."""
    file_bytes: int = 300 << 20


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one job."""

    answer: bytes | None
    """None when there is none."""
    reason: str
    """Why, for people; "" when there is an answer."""
    seconds: float


class _Child:
    """One worker process, with a thread that reads its answers so that the supervisor can wait with a time-out."""

    def __init__(self, command: Sequence[str]) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-B", "-P", "-m", *command],
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

    def send(self, job: bytes) -> None:
        assert self.process.stdin is not None
        worker.write_frame(cast(BinaryIO, self.process.stdin), job)

    def resident(self) -> int:
        """Bytes of the process and of what it started."""
        total = 0
        with contextlib.suppress(psutil.Error):
            total = int(self._memory.memory_info().rss)
            for child in self._memory.children(recursive=True):
                total += int(child.memory_info().rss)
        return total

    def stop(self) -> None:
        started: list[psutil.Process] = []
        with contextlib.suppress(psutil.Error):
            started = self._memory.children(recursive=True)
        self.process.kill()
        for child in started:
            with contextlib.suppress(psutil.Error):
                child.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream:
                with contextlib.suppress(OSError):
                    stream.close()


def supervise(
    jobs: Sequence[Callable[[], bytes]], command: Sequence[str], *, workers: int, limits: Limits
) -> Iterator[tuple[int, Outcome]]:
    """Yield the index of each job with what came of it, as they are done. Children end with the generator.

    ``command`` is the worker's module and its arguments. A job's bytes are made when its turn comes.
    """
    todo: queue.SimpleQueue[int] = queue.SimpleQueue()
    # Bounded: answers that nobody has taken yet are documents in memory.
    done: queue.Queue[tuple[int, Outcome]] = queue.Queue(maxsize=2)
    for i in range(len(jobs)):
        todo.put(i)
    stopping = threading.Event()

    def tell(i: int, outcome: Outcome) -> None:
        while not stopping.is_set():
            with contextlib.suppress(queue.Full):
                done.put((i, outcome), timeout=0.2)
                return

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
                        child = _started(command, stopping)
                    read = _do_one(child, jobs[i](), limits, stopping)
                except OSError as error:
                    read = _Done(None, f"the reader could not be started: {error}", False)
                except Exception as error:
                    # A fault of ours while a job is made must be a report: a thread that dies leaves its jobs hanging.
                    read = _Done(None, f"could not be handed over ({type(error).__name__}: {error})"[:300], False)
                if not read.alive and child is not None:
                    child.stop()
                    child = None
                tell(i, Outcome(read.answer, read.reason, time.monotonic() - started))
        finally:
            if child is not None:
                child.stop()

    threads = (
        [threading.Thread(target=run, daemon=True) for _ in range(max(1, min(workers, len(jobs))))] if jobs else []
    )
    for thread in threads:
        thread.start()
    try:
        for _ in jobs:
            yield done.get()
    finally:
        stopping.set()
        for thread in threads:
            thread.join(timeout=5)


def _started(command: Sequence[str], stopping: threading.Event) -> _Child:
    """Return a child that is ready; its imports do not count against the first job.

    Raises:
        OSError: If it does not come up within a minute.
    """
    child = _Child(command)
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
class _Done:
    answer: bytes | None
    reason: str
    alive: bool
    """Whether the child can take another job."""


def _do_one(child: _Child, job: bytes, limits: Limits, stopping: threading.Event) -> _Done:
    """Return the answer, or why there is none."""
    child.send(job)
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
            return _Done(
                None,
                f"the reader crashed{_where(page, pages)} ({_signal(code)}); the file is damaged or hostile",
                False,
            )
        kind, body = frame[:1], frame[1:]
        if kind == worker.DONE:
            return _Done(body, "", True)
        if kind == worker.FAILED:
            return _Done(None, body.decode("utf-8", "replace"), True)
        if kind == worker.PAGE:
            page, pages = struct.unpack(">II", body)
            last, allowed = now, limits.document_s + limits.per_page_s * pages
        resident = child.resident()
        if resident > limits.memory_bytes:
            return _Done(None, _stopped(f"{_size(limits.memory_bytes)} of memory", page, pages), False)
        if now - started > allowed:
            return _Done(None, _stopped(f"{now - started:.0f} s", page, pages), False)
        if page <= pages and now - last > limits.page_s:
            return _Done(None, _stopped(f"{now - last:.0f} s for one page", page, pages), False)
    return _Done(None, "the run was stopped before it was read", False)


def _stopped(spent: str, page: int, pages: int) -> str:
    return f"reading it took more than {spent}{_where(page, pages)} and was stopped; the file is too large or hostile"


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
