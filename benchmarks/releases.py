#!/usr/bin/env python3
"""Show that what was published goes on answering, whatever happens to a run, to the disk, or to a byte.

    .venv/bin/python benchmarks/releases.py DIRECTORY [calls|kills|readers|disks|flips|rollback|all] [--count N]

DIRECTORY is emptied and holds the libraries that this makes. Needs Linux; ``calls`` needs strace, ``disks`` root.

calls    a run is killed at every system call of publishing, one by one, by strace
kills    whole index runs over PDFs are killed at random moments (50)
readers  50 readers ask a server while another process publishes 100 releases; each must get passages of one release.
         Before that a release that mixes two is published, and must be seen to mix
disks    a run on a full disk, and on one that may only be read, beside a server and commands that answer
flips    one byte is changed in 200 places of a library: start refuses, or the answers are the same
rollback the samples are indexed, then two of them; going back must give the same answers as before

After each kill and change the published release must be whole and answer as before, and the next run must complete with
every passage once. A failure ends the program with exit code 1 and says which.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import psutil
from served import serving

from pincite.build import House, samples
from pincite.errors import DiskError, PinciteError
from pincite.evaluate.cases import read_cases
from pincite.index.releases import Releases
from pincite.settings import load

QUESTION = "What does a refund cost?"
PASSAGES = 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    parser.add_argument("what", nargs="?", default="all", choices=[*SHOWN, "all", "publish-often"])
    parser.add_argument("--count", type=int, help="kills, releases or flipped bytes, where it is not said above")
    given = parser.parse_args()
    if given.what == "publish-often":
        publish_often(given.directory)
        return
    for name in SHOWN if given.what == "all" else (given.what,):
        directory = given.directory / name
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        begun = time.monotonic()
        print(f"{name}: {SHOWN[name](directory, given.count)}, {time.monotonic() - begun:.0f} s", flush=True)


# ---------------------------------------------------------------- what is indexed, and what must be found


def passages(file: Path, number: int | tuple[int, int]) -> Path:
    """Write passages that name their release; two numbers make a mixture."""
    numbers = (number, number) if isinstance(number, int) else number
    with file.open("w") as stream:
        for i in range(PASSAGES):
            text = f"A refund of kind {i} costs {numbers[i % 2]} cents in release {numbers[i % 2]}."
            stream.write(json.dumps({"id": f"p{i}", "document": "fees", "section": ["4 Fees"], "text": text}) + "\n")
    return file


def named(texts: list[str]) -> set[str]:
    """Return the releases that passages name."""
    return set(re.findall(r"in release (\d+)\.", " ".join(texts)))


@cache  # the encoder is loaded once
def house(library: Path) -> House:
    return House(load(None, library))


def index(library: Path, file: Path) -> None:
    house(library).indexer().index_passages(file)


def content(library: Path) -> list[tuple[str, str]]:
    """Return every passage of the published release, (id, text), after the checks that its opening makes.

    Raises:
        PinciteError: If it is not whole.
    """
    release = house(library).releases.current()
    retriever = house(library).open_retriever(release.id)
    try:
        documents = sorted({revision.document for revision in release.revisions})
        return [(passage.id, passage.chunk.text) for document in documents for passage in retriever.read(document)]
    finally:
        retriever.close()


def leftovers(library: Path) -> list[str]:
    inside = [path.name for path in (library / "releases").iterdir() if path.name.startswith(".")]
    return inside + [path.name for path in library.rglob(".writing-*")]


def check(holds: bool, sentence: str) -> None:
    if not holds:
        print(f"FAILED: {sentence}", flush=True)
        raise SystemExit(1)


# ---------------------------------------------------------------- killed at every system call


def publish_often(library: Path) -> None:
    """Be the run that is killed: build, then publish in a child that stops first, once for each line that comes."""
    publish = Releases.publish

    def wait(self: Releases, release: str, *, keep: int) -> None:
        print("built", flush=True)
        for _ in sys.stdin:
            child = os.fork()
            if child == 0:
                os.kill(os.getpid(), signal.SIGSTOP)
                publish(self, release, keep=keep)
                os._exit(0)
            os.waitpid(child, os.WUNTRACED)
            print(child, flush=True)
            os.waitpid(child, 0)
            print("over", flush=True)
        os._exit(0)

    Releases.publish = wait
    index(library, library.parent / "next.jsonl")


def calls(directory: Path, _: int | None) -> str:
    library, file = directory / "library", directory / "next.jsonl"
    for number in (1, 2, 3):  # as many as are kept: publishing another removes one
        index(library, passages(file, number))
    passages(file, 4)
    publisher = subprocess.Popen(
        [sys.executable, __file__, str(library), "publish-often"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert publisher.stdout
        check(publisher.stdout.readline() == "built\n", "the run did not come to publish")
        library.rename(directory / "built")
        sequence = re.findall(r"^(\w+)\(", traced(publisher, library, ""), re.MULTILINE)
        check("rename" in sequence and "fsync" in sequence, "strace saw nothing of publishing")
        per_call: Counter[str] = Counter()
        outcomes: Counter[str] = Counter()
        for done, name in enumerate(sequence, 1):
            per_call[name] += 1
            log = traced(publisher, library, f"{name}:signal=SIGKILL:when={per_call[name]}")
            outcomes[killed_at(f"{name} {per_call[name]}", library, file, log)] += 1
            if done % 100 == 0:
                print(f"  {done} of {len(sequence)}", flush=True)
    finally:
        publisher.kill()
        publisher.wait()
    said = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
    return f"{len(sequence)} system calls of {len(per_call)} kinds: {said}; each time whole, the next run complete"


def killed_at(place: str, library: Path, file: Path, log: str) -> str:
    """Check the library after a kill and after the next run; return what the kill left."""
    left = content(library)
    found = named([text for _, text in left])
    check(found in ({"3"}, {"4"}), f"after a kill at {place} the release names {found}")
    check(len(left) == PASSAGES, f"after a kill at {place} passages are missing")
    index(library, file)
    after = content(library)
    check(named([text for _, text in after]) == {"4"}, f"the run after a kill at {place} did not publish")
    check(len(after) == PASSAGES == len({id_ for id_, _ in after}), f"doubles after a kill at {place}")
    check(not leftovers(library), f"after a kill at {place} are left {leftovers(library)}")
    kept = len(Releases(library).kept())
    check(kept == 3, f"after a kill at {place} {kept} releases are kept")
    if "killed by SIGKILL" not in log:
        return "not reached"
    return "killed with the old release live" if found == {"3"} else "killed with the new one live"


def traced(publisher: subprocess.Popen[str], library: Path, inject: str) -> str:
    """Publish once under strace in the library as it was when the release was built; return what strace wrote."""
    assert publisher.stdin and publisher.stdout
    log = library.parent / "strace.log"
    shutil.rmtree(library, ignore_errors=True)
    subprocess.run(["cp", "-a", "--sparse=always", str(library.parent / "built"), str(library)], check=True)
    publisher.stdin.write("\n")
    publisher.stdin.flush()
    child = int(publisher.stdout.readline())
    options = ["-e", f"inject={inject}"] if inject else []
    tracer = subprocess.Popen(["strace", "-p", str(child), "-o", str(log), *options], stderr=subprocess.PIPE, text=True)
    assert tracer.stderr
    check("attached" in tracer.stderr.readline(), "strace may not attach here")
    os.kill(child, signal.SIGCONT)
    check(publisher.stdout.readline() == "over\n", "the publisher is gone")
    tracer.communicate()
    return log.read_text(errors="replace")


# ---------------------------------------------------------------- killed at random


def kills(directory: Path, count: int | None) -> str:
    count = count or 50
    library, before, more = directory / "library", directory / "before", directory / "more"
    before.mkdir()
    more.mkdir()
    pdfs = sorted(samples().glob("*.pdf"), key=lambda pdf: pdf.stat().st_size)
    for pdf in pdfs[:4]:
        shutil.copy(pdf, before)
    for pdf in pdfs[4:-2]:  # the two longest would only make it longer
        shutil.copy(pdf, more)
    command = [sys.executable, "-m", "pincite.cli", "index", "--library", str(library)]
    subprocess.run([*command, str(before)], check=True, capture_output=True)
    first = content(library)
    kept = directory / "kept"
    shutil.copytree(library, kept)
    begun = time.monotonic()
    subprocess.run([*command, str(before), str(more)], check=True, capture_output=True)
    whole, second = time.monotonic() - begun, content(library)
    check(len(second) > len(first), "the second folder added nothing")
    rng = random.Random(20261201)
    at: Counter[str] = Counter()
    for trial in range(count):
        shutil.rmtree(library)
        shutil.copytree(kept, library)
        run = subprocess.Popen([*command, str(before), str(more)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.2, whole))
        children = psutil.Process(run.pid).children(recursive=True) if run.poll() is None else []
        stage = "killed" if run.poll() is None else "done before"
        run.send_signal(signal.SIGKILL)
        run.wait()
        found = content(library)
        check(found in (first, second), f"trial {trial}: {len(found)} passages, neither release")
        _, alive = psutil.wait_procs(children, timeout=20)
        check(not alive, f"trial {trial}: {len(alive)} processes outlive the run")
        subprocess.run([*command, str(before), str(more)], check=True, capture_output=True)
        check(content(library) == second, f"trial {trial}: the next run made something else")
        check(not leftovers(library), f"trial {trial}: left {leftovers(library)}")
        at[f"{stage}, {'old' if found == first else 'new'} release"] += 1
    return f"{count} runs of {whole:.0f} s: " + ", ".join(f"{n} {outcome}" for outcome, n in sorted(at.items()))


# ---------------------------------------------------------------- read while releases are published


def readers(directory: Path, count: int | None) -> str:
    count = count or 100
    library, file = directory / "library", directory / "passages.jsonl"
    index(library, passages(file, (1, 2)))
    with serving(library) as server:
        mixed = named([passage["text"] for passage in server.search(QUESTION, k=30)["passages"]])
        check(mixed == {"1", "2"}, "the control, a release that mixes two, was not seen to mix")
        index(library, passages(file, 3))
        seen: Counter[str] = Counter()
        stop = False

        def read(_: int) -> int:
            asked = 0
            while not stop:
                found = server.search(QUESTION, k=30)
                releases = named([passage["text"] for passage in found["passages"]])
                check(len(releases) == 1, f"one answer holds passages of releases {sorted(releases)}")
                check(len(found["passages"]) == 30, f"an answer of {len(found['passages'])} passages")
                seen[releases.pop()] += 1
                asked += 1
            return asked

        with ThreadPoolExecutor(50) as pool:
            reading = [pool.submit(read, number) for number in range(50)]
            publishing = subprocess.run(
                [sys.executable, "-c", PUBLISHER, str(library), str(file), str(count)], capture_output=True, text=True
            )
            time.sleep(1)
            stop = True
            asked = sum(future.result() for future in reading)
        check(publishing.returncode == 0, f"publishing failed: {publishing.stderr[-300:]}")
        last = named([passage["text"] for passage in server.search(QUESTION, k=30)["passages"]])
        check(last == {str(3 + count)}, f"the server still answers from release {last}")
    return f"{asked} answers of {len(seen)} releases to 50 readers during {count} publications, none mixed"


PUBLISHER = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from releases import index, passages
for number in range(4, 4 + int(sys.argv[3])):
    index(Path(sys.argv[1]), passages(Path(sys.argv[2]), number))
"""


# ---------------------------------------------------------------- full and read-only disks


def disks(directory: Path, _: int | None) -> str:
    mount = directory / "mounted"
    mount.mkdir()
    library = mount / "library"
    more = directory / "more.jsonl"
    with more.open("w") as stream:
        for i in range(400):
            text = f"A refund of kind {i} costs {i} cents."
            stream.write(json.dumps({"id": f"q{i}", "document": f"d{i}", "section": [], "text": text}) + "\n")
    said: list[str] = []
    with mounted(mount, "size=400m"):
        index(library, passages(directory / "first.jsonl", 1))
        with serving(library) as server:
            before = texts(server.search(QUESTION))
            fill = mount / "filler"
            room = shutil.disk_usage(mount).free
            for spare in (0, 64 << 10, 1 << 20, 8 << 20, 24 << 20, 48 << 20):
                with fill.open("wb") as stream:
                    os.posix_fallocate(stream.fileno(), 0, room - spare)
                run = pincite("index", "--passages", str(more), "--library", str(library))
                check(
                    run.returncode == 2 and "Traceback" not in run.stderr,
                    f"full disk, {spare} spare: code {run.returncode}, {run.stderr[-300:]}",
                )
                said.append(run.stderr.strip().splitlines()[-1])
                check(texts(server.search(QUESTION)) == before, "a full disk changed the server's answer")
                asked = pincite("ask", QUESTION, "--library", str(library), "--json")
                check(asked.returncode == 0 and "refund" in asked.stdout, f"ask on a full disk: {asked.stderr[-300:]}")
                fill.unlink()
        check(named(texts_of(library)) == {"1"}, "the release changed on a full disk")
        subprocess.run(["mount", "-o", "remount,ro", str(mount)], check=True)
        run = pincite("index", "--passages", str(more), "--library", str(library))
        check(run.returncode == 2 and "Traceback" not in run.stderr, f"read-only disk: {run.stderr[-300:]}")
        said.append(run.stderr.strip().splitlines()[-1])
        for command in (("search", QUESTION), ("ask", QUESTION)):
            done = pincite(*command, "--library", str(library), "--json")
            check(done.returncode == 0 and "refund" in done.stdout, f"{command[0]} read-only: {done.stderr[-300:]}")
        with serving(library) as server:
            check(texts(server.search(QUESTION)) == before, "a read-only disk changed the answer")
    for sentence in dict.fromkeys(said):
        print(f"  {sentence}")
    return "6 full disks and a read-only one stopped runs with a sentence; server and commands answered"


def texts(found: dict[str, Any]) -> list[str]:
    return [passage["text"] for passage in found["passages"]]


def texts_of(library: Path) -> list[str]:
    return [text for _, text in content(library)]


def pincite(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "pincite.cli", *arguments], capture_output=True, text=True)


@contextmanager
def mounted(place: Path, options: str) -> Generator[None]:
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


# ---------------------------------------------------------------- a flipped byte


def flips(directory: Path, count: int | None) -> str:
    count = count or 200
    library = directory / "library"
    for number in (1, 2):
        index(library, passages(directory / "passages.jsonl", number))
    release = Releases(library).current_id()
    assert release is not None
    inside = library / "releases" / release
    files = [path for path in inside.rglob("*") if path.is_file() and path.stat().st_size]
    files.append(library / "current")
    questions = (QUESTION, "release 2", "kind 7")

    def answers() -> list[list[tuple[str, str]]]:
        retriever = house(library).open_retriever(house(library).releases.current().id)
        try:
            return [[(p.id, p.chunk.text) for p in retriever.search(question)] for question in questions]
        finally:
            retriever.close()

    right, rng = answers(), random.Random(7)
    outcomes: Counter[str] = Counter()
    for number in range(count):
        path = files[number % len(files)]
        at = rng.choice(written(path)) if number % 2 else rng.randrange(path.stat().st_size)
        flip(path, at, bit := 1 << rng.randrange(8))
        try:
            same = answers() == right
            check(same, f"{path.relative_to(library)} byte {at}: the answer changed")
            outcomes["the same answer"] += 1
        except PinciteError as error:
            check(not isinstance(error, DiskError), f"{path.relative_to(library)} byte {at}: {error}")
            outcomes["refused with a sentence"] += 1
        flip(path, at, bit)
    check(answers() == right, "putting the bytes back did not help")
    return f"{count} bytes in {len(files)} files: " + ", ".join(f"{n} {what}" for what, n in sorted(outcomes.items()))


def written(path: Path) -> list[int]:
    """Return where a file holds something: its files are mostly holes."""
    return [i for i, byte in enumerate(path.read_bytes()) if byte] or [0]


def flip(path: Path, at: int, bit: int) -> None:
    with path.open("rb+") as stream:
        stream.seek(at)
        (byte,) = stream.read(1)
        stream.seek(at)
        stream.write(bytes([byte ^ bit]))


# ---------------------------------------------------------------- going back


def rollback(directory: Path, _: int | None) -> str:
    library = directory / "library"
    index_pdfs = ("index", str(samples()), "--library", str(library))
    check(pincite(*index_pdfs).returncode == 0, "the samples were not indexed")
    before = answers_of(library)
    two = [str(samples() / name) for name in ("farrowmere-fees-rev2.pdf", "CRN-45-2-rev1.pdf")]
    check(pincite("index", *two, "--prune", "--library", str(library)).returncode == 0, "two were not indexed")
    check(answers_of(library) != before, "the smaller release answers the same")
    begun = time.monotonic()
    check(pincite("rollback", "--library", str(library)).returncode == 0, "no rollback")
    seconds = time.monotonic() - begun
    check(answers_of(library) == before, "the answers are not the same after going back")
    return f"{seconds:.1f} s with the start of the command; {len(before)} answers the same"


def answers_of(library: Path) -> list[dict[str, Any]]:
    """Return answers without what differs between two that are the same."""
    found: list[dict[str, Any]] = []
    for case in itertools.islice(read_cases(samples().parent / "cases.jsonl"), 8):
        answer = json.loads(pincite("ask", case.question, "--library", str(library), "--json").stdout)
        for passing in ("id", "conversation", "milliseconds"):
            del answer[passing]
        for citation in answer["citations"]:
            del citation["retrieved_at"]
        for step in answer["steps"]:
            del step["milliseconds"]
        found.append(answer)
    return found


SHOWN: dict[str, Callable[[Path, int | None], str]] = {
    "flips": flips,
    "rollback": rollback,
    "readers": readers,
    "disks": disks,
    "calls": calls,
    "kills": kills,
}


if __name__ == "__main__":
    main()
