import datetime
import json
from pathlib import Path

import pytest
from corpus_pages import Sheet
from hypothesis import given
from hypothesis import strategies as st

from pincite.corpus import dates
from pincite.corpus.metadata import describe, title_of
from pincite.corpus.pdf import read_pdf
from pincite.types import Line

SAMPLES = Path(__file__).parents[2] / "samples"


def read(name):
    path = SAMPLES / name
    return read_pdf(path.read_bytes(), path.name)


def said(field):
    return field.reading and field.reading.value


def test_a_datasheet_says_what_it_is_with_the_places():
    found = describe(read("pdf/CRN-32-3-rev3.pdf"))

    assert [said(f) for f in (found.title, found.revision, found.date, found.kind, found.brand, found.model)] == [
        "CRN 32-3 data sheet",
        "3",
        "2025-09-15",
        "datasheet",
        "Aldervane Pumps",
        "CRN 32-3",
    ]
    assert {f.reading.page for f in (found.title, found.revision, found.date, found.brand, found.model)} == {1}
    assert all(f.reading.box for f in (found.title, found.revision, found.date, found.brand, found.model))


@pytest.mark.parametrize(
    ("name", "title", "revision", "date", "kind"),
    [
        ("pdf/farrowmere-fees-rev3.pdf", "Farrowmere Pay Fees Rulebook", "3", "2026-07-01", "rulebook"),
        ("pdf/CRN 32-3 [rev 3] (NL).pdf", "CRN 32-3 gegevensblad", "3", "2025-09-15", "datasheet"),
        ("pdf/EU-2016-679-GDPR-en.pdf", "General Data Protection Regulation", None, "2016-04-27", "statute"),
        (
            "pdf/NIST.SP.800-63b.pdf",
            "Digital Identity Guidelines: Authentication and Lifecycle Management",
            None,
            "2017-06",
            "guide",
        ),
    ],
)
def test_rulebooks_statutes_and_guides_are_told_apart(name, title, revision, date, kind):
    found = describe(read(name))

    assert (said(found.title), said(found.revision), said(found.date), said(found.kind)) == (
        title,
        revision,
        date,
        kind,
    )


def test_a_planted_title_in_the_metadata_does_not_win_over_the_printed_one():
    found = describe(read("hostile/a058-metadata-title.pdf"))

    assert (said(found.title), found.title.reading.read_from) == ("CRN 32-3 short sheet", "printed")
    assert found.title.others[0].key == "Title"
    assert "IGNORE POLICY" in found.title.others[0].value  # kept visible, never used


def test_a_printed_title_is_given_in_full_as_the_metadata_say_it():
    pdf = Sheet(title="RX 40, Guide to Pumps: Part 2").line("RX 40", size=12).heading("Guide to Pumps", size=24)
    pdf.line("Part 2", size=16).text("All pumps are described.", "Each has a number.", "And a name, of course.")

    assert read_pdf(pdf.bytes(), "rx.pdf").title == "RX 40, Guide to Pumps: Part 2"


def test_a_revision_that_the_name_and_the_page_say_differently_is_shown_as_a_conflict():
    pdf = Sheet().heading("Card Rules", size=20).text("Revision 4", "The rules follow here.")
    found = describe(read_pdf(pdf.bytes(), "card-rules-rev3.pdf"))

    assert (said(found.revision), found.revision.reading.read_from) == ("3", "file name")
    assert [(other.value, other.page) for other in found.revision.others] == [("4", 1)]


def test_a_date_in_a_sentence_is_not_the_date_of_the_document():
    pdf = Sheet().heading("Card Rules", size=20).text("June 2021")
    pdf.text("These rules replace in every respect those that were in force since 3 March 2009 and before.")

    assert said(describe(read_pdf(pdf.bytes(), "rules.pdf")).date) == "2021-06"


def test_the_summary_is_the_sentence_that_says_what_the_document_is_about():
    found = describe(read("pdf/farrowmere-fees-rev3.pdf")).summary

    assert said(found).startswith("This rulebook lists every fee that Members of Farrowmere Pay owe")
    assert found.reading.page == 5
    assert len(said(found).split()) <= 60


def test_a_law_is_not_summarised_by_when_it_enters_into_force():
    pdf = Sheet().heading("Wet op de pompen", size=20).text("Deze wet treedt in werking op 1 januari 2020.")

    assert said(describe(read_pdf(pdf.bytes(), "wet.pdf")).summary) is None


@pytest.mark.parametrize(
    ("text", "language", "iso"),
    [
        ("Revision 3 · 15 September 2025", "en", "2025-09-15"),
        ("September 15, 2025", "en", "2025-09-15"),
        ("Stand: 03.02.2015", "de", "2015-02-03"),
        ("versie van 12 oktober 2006", "nl", "2006-10-12"),
        ("le 1 août 2019", "fr", "2019-08-01"),
        ("Ausgabe 2015-09", "de", "2015-09"),
        ("06/30/2023", "en", "2023-06-30"),
        ("06/07/2023", "en", ""),  # June or July
        ("version 1.2.2019", "en", ""),
        ("no date at all, but 2019 pumps", "en", ""),
    ],
)
def test_dates_are_read_as_their_language_writes_them(text, language, iso):
    assert dates.find(text, language) == iso


@given(st.dates(min_value=datetime.date(1900, 1, 1)), st.sampled_from(["de", "nl", "fr"]))
def test_a_day_survives_being_written_with_dots(day, language):
    if day.year < 2100:
        assert dates.find(f"Stand {day:%d.%m.%Y}", language) == day.isoformat()


@given(st.text(max_size=80), st.text(max_size=40))
def test_there_is_always_a_title_and_it_is_printed_or_said(printed, claimed):
    line = Line(printed, 1, (72, 700, 300, 720), 20)

    title = title_of((line,), (), {"Title": claimed}, "some file.pdf")

    assert title in {" ".join(printed.split()), " ".join(claimed.split()), "some file"}


def test_every_planted_document_keeps_the_title_of_its_twin():
    records = json.loads((SAMPLES / "hostile/plants.json").read_text(encoding="utf-8"))
    twin = read("hostile/twin.pdf").title
    planted = [r["file"] for r in records if r.get("twin") == "twin.pdf" and r["file"].endswith(".pdf")]

    assert len(planted) > 5
    assert [read(f"hostile/{name}").title for name in planted] == [twin] * len(planted)
