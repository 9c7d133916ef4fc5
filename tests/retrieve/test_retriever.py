from dataclasses import replace

import pytest

from pincite.errors import UsageError, WrongModel
from pincite.index.edge import EmbeddedEngine
from pincite.index.releases import Entry, Releases
from pincite.index.statistics import Counting
from pincite.index.versions import made_by
from pincite.retrieve.retriever import Retriever
from pincite.types import Chunk, Revision

NEW = Revision("devices", "devices-rev2.pdf", "2", "ab" * 32, "Devices", "en", "citable", labels=("1", "2"))
OLD = replace(NEW, source="devices-rev1.pdf", revision="1", sha256="cd" * 32, standing="readable")
DEVICES = "3 Devices a cardholder may pay with"
TEXTS = (
    (("3 Devices a cardholder may pay with",), "3 Devices a cardholder may pay with"),
    (
        ("3 Devices a cardholder may pay with", "3.1 Admitted devices"),
        "3.1 Admitted devices\nA card, a phone or a ring.",
    ),
    (("3 Devices a cardholder may pay with", "3.2 Limits"), "3.2 Limits\nA ring pays up to € 25 without a PIN."),
    (("4 Messages",), "4 Messages\nTRX-0042 carries the amount, TRX-0043 the answer."),
)


@pytest.fixture
def retriever(tmp_path, encoder):
    releases = Releases(tmp_path)
    chunks = tuple(Chunk(i, path, "text", (1,), text, text) for i, (path, text) in enumerate(TEXTS))
    vectors = [encoder.passages([chunk.embedded_text]) for chunk in chunks]
    entries = [
        Entry(revision, tuple(f"{revision.revision}/{c.index}" for c in chunks), chunks, vectors)
        for revision in (NEW, OLD)
    ]
    with releases.writing():
        release = releases.build(
            entries, [], model=encoder.model, parser=made_by(2000, None), average_length=20, dimension=384
        )
        releases.publish(release.id, keep=3)
    opened = releases.open(release.id)
    store = EmbeddedEngine().open(opened.store)
    found = Retriever(release, store, opened.statistics, encoder)
    yield found
    found.close()


def test_a_bare_heading_gives_way_to_the_passage_that_it_stands_over(retriever):
    found = retriever.search("Which devices may a cardholder pay with?")

    assert "2/0" not in [p.id for p in found]
    assert found[0].id == "2/1"
    assert [p.rank for p in found] == list(range(1, len(found) + 1))
    assert len({p.id for p in found}) == len(found)


def test_the_bare_code_is_found_first_in_the_current_revision(retriever):
    assert retriever.search("TRX-0042")[0].id == "2/3"
    assert retriever.search("TRX-0042", mode="bm25")[0].chunk.section == ("4 Messages",)


def test_a_section_is_read_with_its_subsections_in_order_from_the_current_revision(retriever):
    assert [p.id for p in retriever.section("devices", TEXTS[0][0])] == ["2/0", "2/1", "2/2"]
    assert retriever.section("devices", ("9 Nothing",)) == ()
    assert retriever.section("unknown", TEXTS[0][0]) == ()


def test_the_sections_of_a_document_are_listed_with_those_above_them(retriever):
    assert retriever.sections("devices") == tuple(path for path, _ in TEXTS)


def test_an_empty_question_is_an_error(retriever):
    with pytest.raises(UsageError, match="empty"):
        retriever.search(" \u200b ")


def test_a_release_of_another_model_is_refused(retriever, encoder):
    with pytest.raises(WrongModel, match="index"):
        Retriever(
            replace(retriever.release, model="another@1"),
            retriever._store,
            Counting().result(),
            encoder,
        )


def test_the_code_in_a_long_pasted_mail_decides_what_is_found_first(retriever):
    talk = "Thank you for the pleasant meeting of last week, at which we spoke about many things and agreed on most. "
    mail = talk * 9 + "Our member asks what TRX-0042 is for, and whether it can be left out. " + talk * 9

    assert len(mail.split()) > 300
    assert retriever.search(mail)[0].id == "2/3"


def test_a_search_can_be_kept_to_a_standing_and_a_language(retriever):
    assert {p.revision.standing for p in retriever.search("devices", standings=("readable",))} == {"readable"}
    assert retriever.search("devices", languages=("nl",)) == ()
    assert len(retriever.search("devices", languages=("en",), audiences=("everyone",))) > 1
