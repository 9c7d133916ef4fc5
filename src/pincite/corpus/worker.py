"""The jail: a child process that reads one PDF at a time and says what it found in bytes, never in pickles.

Frames on both pipes: 4 bytes of length (big-endian), then the frame; the first byte of an answer is its kind.
Whatever happens in here, even an abort of PDFium or code that a crafted file brought along, stays in this process.
"""

from __future__ import annotations

import json
import os
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

PAGE, DONE, FAILED, READY = b"P", b"D", b"F", b"R"

ADDRESS_SPACE = 8 << 30
"""Bytes of address space, a backstop where the system knows the limit: what counts is resident memory, which the
supervisor watches. 1 GiB here would already refuse numpy's libraries; 8 GiB stops one huge allocation at once."""

Job: TypeAlias = dict[str, Any]
"""``path`` of the file, ``source`` to name it by, and what else a worker asks for."""
Reader: TypeAlias = Callable[[Job, Callable[[int, int], None]], bytes]
"""(job, on_page(page, pages)) → the answer's bytes."""


def job_bytes(**job: object) -> bytes:
    """Return a job as the bytes that ``serve`` takes; names that are no UTF-8 survive."""
    return json.dumps(job).encode("ascii")


def write_frame(stream: BinaryIO, frame: bytes) -> None:
    stream.write(struct.pack(">I", len(frame)) + frame)
    stream.flush()


def read_frame(stream: BinaryIO) -> bytes | None:
    """Return the next frame; None at the end of the stream, also when it breaks off inside a frame."""
    head = stream.read(4)
    if len(head) < 4:
        return None
    (length,) = struct.unpack(">I", head)
    frame = stream.read(length)
    return frame if len(frame) == length else None


def serve(prepare: Callable[[], Reader]) -> None:
    """Do jobs until the pipe closes; ``prepare`` imports what they need."""
    jobs = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    # A library that prints must not break the frames, nor one that starts a program hand it the jobs.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    read = prepare()
    from pincite.errors import PinciteError

    _limit()
    threading.Thread(target=_die_with_parent, args=(os.getppid(),), daemon=True).start()
    write_frame(answers, READY)

    def on_page(page: int, pages: int) -> None:
        write_frame(answers, PAGE + struct.pack(">II", page, pages))

    while (frame := read_frame(jobs)) is not None:
        try:
            write_frame(answers, DONE + read(json.loads(frame), on_page))
        except PinciteError as error:
            write_frame(answers, FAILED + (getattr(error, "reason", "") or str(error)).encode("utf-8", "replace"))
        except MemoryError:
            write_frame(answers, FAILED + b"needs more memory than a worker may use")
        except OSError as error:
            write_frame(answers, FAILED + f"cannot be read: {error.strerror or error}".encode("utf-8", "replace"))
        except Exception as error:
            # The one place where everything is caught: a fault of ours in one file must be a report, not an end.
            told = f"could not be read ({type(error).__name__}: {error}); please report this file"
            write_frame(answers, FAILED + told[:500].encode("utf-8", "replace"))


def _prepare() -> Reader:
    from pincite.corpus import language
    from pincite.corpus.library import recognised_from_json, to_json
    from pincite.corpus.pdf import read_pdf

    language.load()

    def read(job: Job, on_page: Callable[[int, int], None]) -> bytes:
        seen = [recognised_from_json(text.encode()) for text in job.get("recognised", ())]
        data = Path(job["path"]).read_bytes()
        document = read_pdf(
            data, job["source"], recognised={one.page: one for one in seen}, no_ocr=job["no_ocr"], on_page=on_page
        )
        return to_json(document)

    return read


def _limit() -> None:
    try:
        import resource
    except ImportError:
        # Windows: resident memory and time are watched by the supervisor there too.
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if sys.platform.startswith("linux"):
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


def _die_with_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


if __name__ == "__main__":
    serve(_prepare)
