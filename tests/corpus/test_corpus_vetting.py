import hashlib

import pytest
from corpus_pages import Sheet
from hypothesis import given
from hypothesis import strategies as st

from pincite.corpus.pdf import read_pdf
from pincite.corpus.vetting import Candidate, decide, first_sheet, identify, order, slug


def candidate(source, content="", folder="rules", **more):
    sha256 = hashlib.sha256((content or source).encode()).hexdigest()
    return Candidate(source, sha256, identify(source, more.pop("lines", ()), more.pop("metadata", {})), folder, **more)


@pytest.mark.parametrize(
    ("source", "document", "revision"),
    [
        ("SP800-57part1rev4.pdf", "sp800-57part1", "4"),
        ("SP800-53-rev3-final_updated-errata_05-01-2010.pdf", "sp800-53-final-updated-errata-05-01-2010", "3"),
        ("SP800-66-Revision1.pdf", "sp800-66", "1"),
        ("SP800-40r3.pdf", "sp800-40", "3"),
        ("NIST_SP_800-135r1_Recommendation.pdf", "nist-sp-800-135-recommendation", "1"),
        ("fees-rev-2.pdf", "fees", "2"),
        ("guide_r3.PDF", "guide", "3"),
        ("Rules v1.2.pdf", "rules", "1.2"),
        ("- CRN [rev 3] (NL).pdf", "crn-nl", "3"),
        ("Reglement revisie 12.pdf", "reglement", "12"),
        ("CRN 32-3.pdf", "crn-32-3", ""),
        ("server1.pdf", "server1", ""),
        ("overview.pdf", "overview", ""),
        ("Rev 3.pdf", "rev-3", ""),
        ("IR8183.pdf", "ir8183", ""),
        ("carrier4.pdf", "carrier4", ""),
        ("手册.pdf", "624b-518c", ""),
    ],
)
def test_a_file_name_tells_the_document_and_its_revision(source, document, revision):
    identity = identify(source, (), {})

    assert (identity.document, identity.revision) == (document, revision)


def test_the_top_of_page_one_tells_the_revision_when_the_name_does_not():
    lines = ("NIST Special Publication 800-61", "Revision 2", "Computer Security Incident Handling Guide")

    assert identify("handling-guide.pdf", lines, {}).revision == "2"
    assert identify("fees.pdf", ("Fee Rulebook", "Versie: 3.1, juni 2024"), {}).revision == "3.1"


def test_a_sentence_about_revisions_tells_none():
    lines = ("This revision of the rulebook replaces the version that members received earlier.",)

    assert identify("fees.pdf", lines, {}).revision == ""


def test_the_date_is_the_day_the_file_says():
    assert identify("a.pdf", (), {"CreationDate": "D:20240131120000Z"}).date == "2024-01-31"
    assert identify("a.pdf", (), {}).date == ""


def test_revisions_count_as_people_count():
    assert sorted(["10", "2", "", "1.10", "1.2"], key=order) == ["", "1.2", "1.10", "2", "10"]


def test_the_newest_revision_is_citable_and_the_others_say_by_what_they_are_superseded():
    found = decide([candidate("fees-rev-10.pdf"), candidate("fees-rev-2.pdf"), candidate("fees-rev-9.pdf")])

    assert [(v.document, v.revision, v.standing, v.reason) for v in found] == [
        ("fees", "10", "citable", ""),
        ("fees", "2", "readable", "superseded by revision 10"),
        ("fees", "9", "readable", "superseded by revision 10"),
    ]


def test_a_file_replaced_in_place_supersedes_the_one_that_was_there():
    old, new = candidate("fees.pdf", "old", present=False), candidate("fees.pdf", "new")

    found = decide([old, new])

    assert [v.standing for v in found] == ["readable", "citable"]
    assert {v.document for v in found} == {"fees"}
    assert found[0].reason == f"superseded by revision {new.sha256[:8]}"


def test_two_files_of_one_name_in_two_folders_are_two_documents():
    found = decide([candidate("overview.pdf", "a", folder="fees"), candidate("overview.pdf", "b", folder="refunds")])

    assert [v.standing for v in found] == ["citable", "citable"]
    assert [v.document for v in found] == ["overview", "overview-refunds"]
    assert "overview" in found[1].reason


def test_two_files_that_claim_the_same_revision_are_both_kept_and_reported():
    found = decide([candidate("Fees_rev3.pdf", "a"), candidate("fees (rev 3).pdf", "b")])

    assert len({v.document for v in found}) == 2
    assert [v.standing for v in found] == ["citable", "citable"]
    assert sum(bool(v.reason) for v in found) == 1


def test_the_same_bytes_under_two_names_are_one_document():
    found = decide([candidate("copy of fees.pdf", "same"), candidate("fees-rev-3.pdf", "same")])

    assert [(v.document, v.standing) for v in found] == [("fees", "rejected"), ("fees", "citable")]
    assert found[0].reason == "the same bytes as fees-rev-3.pdf"


NAMES = st.sampled_from(["fees.pdf", "fees-rev-2.pdf", "fees rev 3.pdf", "Fees_r3.pdf", "refunds.pdf", "v2.pdf"])


@given(
    st.lists(
        st.tuples(NAMES, st.sampled_from("abcde"), st.sampled_from(["", "x", "y"]), st.booleans()), max_size=10
    ).flatmap(lambda files: st.tuples(st.just(files), st.permutations(range(len(files)))))
)
def test_no_file_is_lost_and_the_order_of_files_changes_nothing(drawn):
    files, places = drawn
    candidates = [candidate(name, content, folder, present=there) for name, content, folder, there in files]

    found = decide(candidates)
    again = decide([candidates[i] for i in places])

    assert [v.sha256 for v in found] == [c.sha256 for c in candidates]
    citable = [v for v in found if v.standing == "citable"]
    assert len({v.document for v in citable}) == len(citable) == len({v.document for v in found})
    stored = {(v.document, v.revision): v.sha256 for v in found if v.standing != "rejected"}
    assert set(stored.values()) == {c.sha256 for c in candidates}
    if len({(c.source, c.sha256, c.folder, c.present) for c in candidates}) == len(candidates):
        assert sorted(map(repr, found)) == sorted(map(repr, again))


@given(st.text())
def test_a_slug_is_safe_in_a_path_and_an_address(text):
    assert slug(text)
    assert all(c.isascii() and ((c.isalnum() and not c.isupper()) or c == "-") for c in slug(text))


def test_a_revision_in_the_footer_counts_when_the_body_prints_none():
    def revision(footer, *body):
        sheet = Sheet().text("CRN 32-3 data sheet", *body, "Head at best efficiency 12,4 m").at(72, 20, footer, size=6)
        document = read_pdf(sheet.bytes(), "crn-32-3.pdf")
        return identify(document.source, [line.text for line in first_sheet(document)], {}).revision

    assert revision("Data sheet CRN 32-3, revision 4") == "4"
    assert revision("Form F-12, revision 9", "Revision 4") == "4"
    assert revision("Page 1 of 1") == ""
