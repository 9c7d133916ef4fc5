"""What the demo and the other tests rely on in the sample library."""

from __future__ import annotations

import difflib
import hashlib
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pypdfium2
import pytest

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
PUBLIC = {"NIST.SP.800-63b.pdf", "EU-2016-679-GDPR-en.pdf"}
RULEBOOKS = sorted(path.name for path in (SAMPLES / "pdf").glob("farrowmere-*.pdf"))


@cache
def text(path: Path) -> tuple[str, ...]:
    document = pypdfium2.PdfDocument(path)
    return tuple(page.get_textpage().get_text_range().replace("\r\n", "\n") for page in document)


def sample(name: str) -> tuple[str, ...]:
    return text(SAMPLES / "pdf" / name)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The made documents, twice, each by a process of its own."""
    roots = tmp_path_factory.mktemp("once"), tmp_path_factory.mktemp("twice")
    for root in roots:
        subprocess.run([sys.executable, SAMPLES / "make.py", root], check=True, capture_output=True)
    return roots


def files(root: Path) -> dict[str, Path]:
    return {
        str(path.relative_to(root)): path
        for folder in ("pdf", "hostile")
        for path in sorted((root / folder).iterdir())
        if path.name not in PUBLIC and path.suffix != ".md"
    }


def test_two_runs_of_the_program_make_the_same_bytes(made):
    first, second = ({name: path.read_bytes() for name, path in files(root).items()} for root in made)

    assert first == second


def test_the_committed_documents_are_those_that_the_program_makes(made):
    now, kept = files(made[0]), files(SAMPLES)

    assert now.keys() == kept.keys()
    # Text and not bytes: another version of zlib may pack the same document differently.
    pdfs = [name for name in now if name.endswith(".pdf")]
    assert [name for name in pdfs if text(now[name]) != text(kept[name])] == []


def test_our_own_documents_stay_small():
    assert sum(path.stat().st_size for path in files(SAMPLES).values()) < 2_000_000


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_a_public_document_is_the_one_that_the_sources_name(name):
    digest = hashlib.sha256((SAMPLES / "pdf" / name).read_bytes()).hexdigest()

    assert digest in (SAMPLES / "SOURCES.md").read_text("utf-8")


@pytest.mark.parametrize("name", RULEBOOKS)
def test_a_rulebook_counts_its_front_matter_in_roman_and_its_body_from_one(name):
    document = pypdfium2.PdfDocument(SAMPLES / "pdf" / name)

    labels = [document.get_page_label(index) for index in range(len(document))]

    assert labels == ["i", "ii", "iii", "iv", *(str(n) for n in range(1, len(document) - 3))]


@pytest.mark.parametrize("name", RULEBOOKS)
def test_each_entry_of_the_outline_is_a_heading_on_its_page_and_in_the_contents(name):
    document = pypdfium2.PdfDocument(SAMPLES / "pdf" / name)
    entries = [(entry.get_title(), entry.get_dest().get_index()) for entry in document.get_toc()]

    assert len(entries) > 15
    assert [title for title, index in entries if title not in sample(name)[index].split("\n")] == []
    assert [title for title, _ in entries if title not in sample(name)[2]] == []


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_section_that_a_rulebook_refers_to_exists(name):
    titles = {
        "Acceptance Devices Rulebook": "farrowmere-acceptance-devices-rev5.pdf",
        "Fees Rulebook": "farrowmere-fees-rev3.pdf",
        "Message Specifications": "farrowmere-messages-rev7.pdf",
    }
    body = re.sub(r"\s+", " ", " ".join(sample(name)[4:]))
    references = re.findall(rf"({'|'.join(titles)}), section (\d+(?:\.\d+)?)", body)

    missing = [
        (title, section)
        for title, section in references
        if not re.search(rf"(?m)^{re.escape(section)} [A-Z]", "\n".join(sample(titles[title])[4:]))
    ]

    assert len(references) >= 3
    assert not missing


def test_revision_3_of_the_fees_changes_one_fee_and_adds_one_section():
    old, new = ("\n".join(sample(f"farrowmere-fees-rev{n}.pdf")[4:]).split("\n") for n in (2, 3))
    furniture = re.compile(r"Farrowmere Pay Fees Rulebook|Revision [23] · |^\d$")
    old, new = ([line for line in lines if not furniture.search(line)] for lines in (old, new))

    changes = [line for line in difflib.ndiff(old, new) if line[0] in "+-"]
    gone = [line[2:] for line in changes if line[0] == "-"]
    come = [line[2:] for line in changes if line[0] == "+"]

    assert gone == ["Purchase 0.40 % 1.40 %"]
    assert come[:2] == ["Purchase 0.35 % 1.40 %", "4.4 Repeated orders by appliances"]
    assert "0.40 %" not in " ".join(sample("farrowmere-fees-rev3.pdf"))


def test_revision_3_of_the_crn_32_3_changes_the_npsh_at_2900_rpm_only():
    old, new = ("\n".join(sample(f"CRN-32-3-rev{n}.pdf")).split("\n") for n in (2, 3))

    changes = [line for line in difflib.ndiff(old, new) if line[0] in "+-" and " · " not in line]

    assert changes == [
        "- 2900 32 148.8 4.2¹) 17.3 75",
        "+ 2900 32 148.8 3.9¹) 17.3 75",
        "- 32 148.8 4.2 17.3 75",
        "+ 32 148.8 3.9 17.3 75",
    ]


def test_the_dutch_sheet_gives_the_figures_of_the_english_one_with_decimal_commas():
    english, dutch = (
        re.findall(r"\d+[.,]\d+", sample(name)[0]) for name in ("CRN-32-3-rev3.pdf", "CRN 32-3 [rev 3] (NL).pdf")
    )

    assert [value.replace(".", ",") for value in english] == [value.replace(".", ",") for value in dutch]
    assert "1,4¹)" in sample("CRN 32-3 [rev 3] (NL).pdf")[0]


@pytest.mark.parametrize("sign", ["m³/h", "20 MΩ", "≤ 40 °C", "±", "−20 °C", "3 × 400 V"])
def test_the_signs_of_a_data_sheet_can_be_read_back(sign):
    assert sign in " ".join(sample("CRN-32-3-rev3.pdf"))


def test_micro_ohm_and_minus_can_be_read_back_from_a_rulebook():
    body = " ".join(sample("farrowmere-acceptance-devices-rev5.pdf"))

    assert all(each in body for each in ("≤ 15 µA", "50 Ω ± 5 %", "−20 °C"))
