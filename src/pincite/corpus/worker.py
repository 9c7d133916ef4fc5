"""The jail: a child process that reads one PDF at a time and says what it found in bytes, never in pickles.

Frames on both pipes: 4 bytes of length (big-endian), then the frame; the first byte of an answer is its kind.
Whatever happens in here, even an abort of PDFium or code that a crafted file brought along, stays in this process.
"""

from __future__ import annotations

import os
import signal
import struct
import sys
import threading
import time
from pathlib import Path
from typing import BinaryIO

PAGE, DONE, FAILED, READY = b"P", b"D", b"F", b"R"

ADDRESS_SPACE = 8 << 30
"""Bytes of address space, a backstop where the system knows the limit: what counts is resident memory, which the
supervisor watches. 1 GiB here would already refuse numpy's libraries; 8 GiB stops one huge allocation at once."""


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


def main() -> None:
    """Read jobs (path, line break, source name) until the pipe closes."""
    jobs = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    # A library that prints must not break the frames.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    from pincite.corpus import language
    from pincite.corpus.library import to_json
    from pincite.corpus.pdf import read_pdf
    from pincite.errors import PinciteError

    language.load()
    _limit()
    threading.Thread(target=_die_with_parent, args=(os.getppid(),), daemon=True).start()
    write_frame(answers, READY)
    while (job := read_frame(jobs)) is not None:
        path, source = job.decode("utf-8", "surrogateescape").split("\n", 1)
        try:
            data = Path(path).read_bytes()
            document = read_pdf(
                data, source, on_page=lambda page, pages: write_frame(answers, PAGE + struct.pack(">II", page, pages))
            )
            write_frame(answers, DONE + to_json(document))
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
    main()
