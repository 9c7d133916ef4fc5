"""The nouns survive JSON; what is shown of them is what the interface promises."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from serve_scripted import PASSAGES

from pincite.serve.wire import LAST, answer_json, encoded, event_json, event_line, read_answer, sections_json
from pincite.types import Answer, AnswerTable, Block, Broke, Cell, Finished, Step, TableShown

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
st.register_type_strategy(str, TEXT)
st.register_type_strategy(float, FLOATS)
BOXES = st.tuples(FLOATS, FLOATS, FLOATS, FLOATS)
ARGUMENTS = st.dictionaries(TEXT, TEXT | st.integers(-(2**53), 2**53) | st.booleans() | st.none(), max_size=3)
st.register_type_strategy(Step, st.builds(Step, arguments=ARGUMENTS))
st.register_type_strategy(Cell, st.builds(Cell, box=st.none() | BOXES))
LARGE = [HealthCheck.data_too_large, HealthCheck.too_slow]
"""An Answer is eight lists of records of a dozen fields; its size is what is tested."""


@settings(max_examples=40, deadline=None, suppress_health_check=LARGE)
@given(st.from_type(Answer))
def test_an_answer_is_the_same_after_json(answer):
    assert read_answer(encoded(answer_json(answer))) == answer
    assert read_answer(json.loads(encoded(answer_json(answer)))) == answer


@settings(max_examples=20, deadline=None, suppress_health_check=LARGE)
@given(st.from_type(Answer))
def test_an_event_is_one_line_whatever_its_text(answer):
    line = encoded(event_line(answer.id, 7, Finished(answer)))

    assert not set(line) & set("\r\n")
    assert json.loads(line)["id"] == f"{answer.id}:7"


def test_a_table_is_sent_as_itself_and_only_two_events_end_a_stream():
    table = AnswerTable("t1", 1, ("Fee",), (("0.20 %",),), ((0, 0),), (Cell(0, 0, 0, 0, "0.20 %"),), "Fees")

    kind, data = event_json(TableShown(table))

    assert kind == "table" and data["highlighted"] == [[0, 0]] and data["rows"] == [["0.20 %"]]
    assert data["cells"][0] == {"r0": 0, "r1": 0, "c0": 0, "c1": 0, "text": "0.20 %", "box": None, "header": False}
    assert event_json(Broke("x", retry=False)) == ("error", {"message": "x", "retry": False})
    assert event_json(Block("**a**")) == ("block", {"markdown": "**a**", "citations": []})
    assert {"outcome", "error"} == LAST


def test_a_section_that_only_its_subsections_have_text_in_has_their_sheets():
    shown = sections_json([("4 Fees",), ("4 Fees", "4.2 Cross-border")], PASSAGES[1:2])

    assert [s["pages"] for s in shown["sections"]] == [[2, 3], [2, 3]]
