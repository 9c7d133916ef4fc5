#!/usr/bin/env python3
"""What the page's script costs in each frame while an answer with a table of forty rows comes, in Chromium.

    python benchmarks/frames.py [--rows 40] [--every 25] [--runs 3]

The rows come one by one, each with a citation, over a connection that the benchmark plays. A frame's script is what ran
on the page's main thread between two frames that Chromium began: functions, microtasks, timers and garbage collection.
The bound is 16 ms of the processor's time, not of the clock's: a busy machine is no fault of the page.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = os.environ.get("PINCITE_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline.frame", "v8", "__metadata"]
SCRIPT = {"FunctionCall", "EvaluateScript", "RunMicrotasks", "TimerFire", "FireAnimationFrame", "MinorGC", "MajorGC"}
PLAY = """([events, every]) => {
  const get = window.fetch;
  window.fetch = (address, options) => {
    if (!String(address).endsWith("/api/chat")) return get(address, options);
    const encoder = new TextEncoder();
    let at = 0;
    const body = new ReadableStream({
      async pull(stream) {
        await new Promise((resolve) => setTimeout(resolve, every));
        stream.enqueue(encoder.encode(events[at]));
        at += 1;
        if (at === events.length) stream.close();
      },
    });
    return Promise.resolve(new Response(body, {headers: {"Content-Type": "text/event-stream"}}));
  };
}"""


def events_of(rows: int) -> list[str]:
    """The events of an answer whose table has that many rows, as they are sent."""
    recording = json.loads((ROOT / "web/dev/recording.json").read_text(encoding="utf-8"))
    fee = next(answer for answer in recording["answers"] if answer["match"] == "fee")["events"]
    whole, citation = fee[-1]["data"], fee[-1]["data"]["citations"][0]
    citations = [{**citation, "n": n} for n in range(1, rows + 1)]
    blocks = ["The fees are:", "\n\n| Fee | Domestic | Cross-border |\n| --- | --- | --- |"]
    blocks += [f"\n| Purchase {n} \\| debit | 0.{n:02} % {{{{{n}}}}} | € {n},50 – $15 |" for n in range(1, rows + 1)]
    events = [fee[0]]
    for n, markdown in enumerate(blocks):
        events.append({"event": "block", "data": {"markdown": markdown, "citations": citations[max(0, n - 2) : n - 1]}})
    end = {**whole, "id": "a", "markdown": "".join(blocks), "citations": citations, "tables": []}
    events.append({"event": "outcome", "data": end})
    return [f"id: a:{n}\nevent: {e['event']}\ndata: {json.dumps(e['data'])}\n\n" for n, e in enumerate(events, 1)]


def script_per_frame(trace: list[dict[str, Any]]) -> list[float]:
    """Milliseconds of script between the frames that the page's main thread began."""
    mains = {(e["pid"], e["tid"]) for e in trace if e.get("args", {}).get("name") == "CrRendererMain"}
    begins = [e for e in trace if e["name"] == "BeginMainThreadFrame" and (e["pid"], e["tid"]) in mains]
    if not begins:
        raise SystemExit("the trace has no frame: this Chromium names its events otherwise")
    # The page under test is the renderer that drew most frames.
    threads = [(e["pid"], e["tid"]) for e in begins]
    main = max(set(threads), key=threads.count)
    times = sorted(e["ts"] for e in begins if (e["pid"], e["tid"]) == main)
    outer: list[dict[str, Any]] = []
    script = [e for e in trace if e["name"] in SCRIPT and e["ph"] == "X" and (e["pid"], e["tid"]) == main]
    for event in sorted(script, key=lambda e: e["ts"]):
        if (
            not outer or event["ts"] >= outer[-1]["ts"] + outer[-1]["dur"]
        ):  # what lies inside another is counted with it
            outer.append(event)
    # Time of the processor, where Chromium says: on a busy machine the clock also runs while others have it.
    return [
        sum(e.get("tdur", e["dur"]) for e in outer if start <= e["ts"] < end) / 1000 for start, end in pairwise(times)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=40)
    parser.add_argument("--every", type=int, default=25, help="milliseconds between two events")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()

    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    hook.build_page(ROOT)
    node = hook.Node(ROOT / "web")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    mock = subprocess.Popen([node.program, ROOT / "web/dev/mock.ts", "--port", address.rpartition(":")[2]])
    try:
        for _ in range(200):
            try:
                urllib.request.urlopen(f"{address}/api/about", timeout=2).close()
                break
            except OSError:
                time.sleep(0.1)
        with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            worst: list[float] = []
            for run in range(options.runs):
                page = browser.new_page()
                page.goto(address)
                page.evaluate(PLAY, [events_of(options.rows), options.every])
                page.wait_for_selector(".notice")
                path = Path(folder) / "trace.json"
                browser.start_tracing(page=page, path=path, categories=CATEGORIES)
                page.fill("#question", "What are the fees?")
                page.keyboard.press("Enter")
                page.locator(".outcome.answered").wait_for(timeout=120_000)
                browser.stop_tracing()
                assert page.locator(".prose tbody tr").count() == options.rows
                frames = sorted(script_per_frame(json.loads(path.read_text())["traceEvents"]))
                worst.append(frames[-1])
                over = sum(frame > 16 for frame in frames)
                print(
                    f"run {run + 1}: {len(frames)} frames, script p50 {frames[len(frames) // 2]:.1f} ms, "
                    f"p95 {frames[int(len(frames) * 0.95)]:.1f} ms, most {frames[-1]:.1f} ms; {over} above 16 ms"
                )
                page.close()
            print(f"most script in one frame, least of {options.runs} runs: {min(worst):.1f} ms")
            browser.close()
    finally:
        mock.terminate()
        mock.wait()


if __name__ == "__main__":
    main()
