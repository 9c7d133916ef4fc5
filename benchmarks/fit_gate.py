"""Fit the gate's confidence on half of the labelled answers: ``python benchmarks/fit_gate.py CASES.jsonl…``.

Prints the constants for `_MODELS` of `pincite.answer.gate`, fitted on the cases of half 0, and how often a claim above
`SUPPORTED_FROM` was right on both halves. A case's half is its field ``half``, or goes by its cited document.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from gate import contexts_of

from pincite.answer.evidence import claim_slots, read_draft
from pincite.answer.gate import SUPPORTED_FROM, features, weigh_all
from pincite.answer.words import detect_language

RIDGE = 1.0


def half_of(case: dict[str, Any]) -> int:
    return case["half"] if "half" in case else zlib.crc32(case["cited"]["doc"].encode()) % 2


def observations(case: dict[str, Any]) -> list[tuple[str, dict[str, float], bool]]:
    """Return (model, inputs, is right) of each claim that is found."""
    if case["label"] == "unsupported" and not case["unsupported_spans"]:
        return []
    draft = read_draft(case["answer"], case.get("language", detect_language(case["answer"])))
    contexts = contexts_of(case)
    seen: list[tuple[str, dict[str, float], bool]] = []
    slots = claim_slots(draft)
    for slot, weighed in weigh_all(draft, slots, contexts).items():
        if weighed.best is None:
            continue
        start, end = draft.normal.span(slot.start, slot.end)
        false = any(s["start"] < end and start < s["end"] for s in case["unsupported_spans"])
        seen.append((*features(slot, weighed), not false))
    return seen


def fit(inputs: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the weights (bias first) of a logistic regression with a ridge on all but the bias, by Newton steps."""
    x = np.hstack([np.ones((len(inputs), 1)), inputs])
    w = np.zeros(x.shape[1])
    ridge = np.diag([0.0] + [RIDGE] * inputs.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ w))
        gradient = x.T @ (right - p) - ridge @ w
        hessian = (x * (p * (1 - p))[:, None]).T @ x + ridge + 1e-9 * np.eye(len(w))
        step = np.linalg.solve(hessian, gradient)
        w += step
        if np.abs(step).max() < 1e-8:
            break
    return w


def main(*paths: str) -> None:
    rows: dict[str, list[tuple[int, dict[str, float], bool]]] = defaultdict(list)
    for path in paths:
        for line in Path(path).read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            for name, inputs, right in observations(case):
                rows[name].append((half_of(case), inputs, right))
    for name, seen in rows.items():
        keys = list(seen[0][1])
        x = np.array([[inputs[key] for key in keys] for _, inputs, _ in seen])
        y = np.array([float(right) for _, _, right in seen])
        half = np.array([h for h, _, _ in seen])
        w = fit(x[half == 0], y[half == 0])
        weights = ", ".join(f'"{key}": {value:.2f}' for key, value in zip(keys, w[1:], strict=True))
        print(f'    "{name}": _Logistic({w[0]:.2f}, {{{weights}}}),')
        p = 1 / (1 + np.exp(-(x @ w[1:] + w[0])))
        for h in (0, 1):
            above = (half == h) & (p >= SUPPORTED_FROM)
            bad = (half == h) & (y == 0)
            good = (half == h) & (y == 1)
            print(
                f"    # half {h}: n {int((half == h).sum())}, right above {y[above].mean():.3f}, "
                f"false stopped {1 - (above & bad).sum() / max(1, bad.sum()):.3f} of {bad.sum()}, "
                f"right stopped {1 - (above & good).sum() / max(1, good.sum()):.3f} of {good.sum()}"
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
