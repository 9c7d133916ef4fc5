"""The built-in model: no language model, the same loop."""

from __future__ import annotations

import pytest
from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    RetryFeedbackPart,
    RetryInfo,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition
from small_library import SmallLibrary

from pincite.answer.extractive import ExtractiveModel, asks_again, own_calls, write_draft
from pincite.answer.select import Draft, DraftSentence, compose
from pincite.answer.splitting import Splitter, read_marks
from pincite.answer.stream import plain

TOOLS = ModelRequestParameters(
    function_tools=[ToolDefinition(name=name) for name in ("search_passages", "read_section")]
)
QUESTION = "Within how many days must a chargeback be raised?"
ASKED = ModelRequest(parts=[UserPromptPart(QUESTION)])
SEARCHED = ModelResponse(
    parts=[ToolCallPart("search_passages", {"query": QUESTION}, tool_call_id="extractive-search-0")]
)
FEEDBACK = "The application says:\n<pyai:retry_feedback>\nIt was withheld. What is NPSH?\n</pyai:retry_feedback>"


def offered():
    return {f"P{n}": passage for n, passage in enumerate(SmallLibrary().search(QUESTION), 1)}


def model(passages=None, parts=()):
    return ExtractiveModel(QUESTION, parts, offered() if passages is None else passages, compose)


async def part_of(model, *messages):
    (part,) = (await model.request(list(messages), None, TOOLS)).parts
    return part


async def test_it_searches_with_the_question_first():
    part = await part_of(model({}), ASKED)

    assert (part.tool_name, part.args_as_dict()) == ("search_passages", {"query": QUESTION})


async def test_it_searches_once_more_for_the_second_part_of_a_question():
    both = model(parts=("first?", "how long does the acquirer have?"))
    returned = ModelRequest(parts=[ToolReturnPart("search_passages", "…", "extractive-search-0")])

    part = await part_of(both, ASKED, SEARCHED, returned)

    assert part.args_as_dict() == {"query": "how long does the acquirer have?"}


async def test_it_then_quotes_with_handles():
    returned = ModelRequest(parts=[ToolReturnPart("search_passages", "…", "extractive-search-0")])

    part = await part_of(model(), ASKED, SEARCHED, returned)

    assert isinstance(part, TextPart) and part.content.startswith("A chargeback must be raised within 120 days")
    assert read_marks(part.content).handles == ("P1",)


async def test_it_follows_a_reference_that_its_answer_points_at():
    question = "May a member surcharge a cardholder and where do disputes follow?"
    passages = {f"P{n}": passage for n, passage in enumerate(SmallLibrary().search(question), 1)}
    piece = DraftSentence("Disputes follow section 7.2.", 0, 111, 139, "sentence", 1.0)
    draft = Draft((piece,), False, "", "en", ("section 7.2",))
    one = ExtractiveModel(question, (), passages, lambda *_: draft)
    returned = ModelRequest(parts=[ToolReturnPart("search_passages", "…", "extractive-search-0")])

    part = await part_of(one, ASKED, SEARCHED, returned)

    assert (part.tool_name, part.args_as_dict()) == ("read_section", {"document": "P1", "section_path": "section 7.2"})


@pytest.mark.parametrize(
    "feedback",
    [
        UserPromptPart(FEEDBACK),
        UserPromptPart("<retry_feedback>no</retry_feedback>"),
        RetryFeedbackPart("no", retry=RetryInfo(cause="model_retry")),
    ],
)
async def test_feedback_on_an_answer_is_no_new_question(feedback):
    messages = [ASKED, SEARCHED, ModelResponse(parts=[TextPart("x")]), ModelRequest(parts=[feedback])]

    part = await part_of(model(), *messages)

    assert asks_again(messages) and not asks_again([ASKED])
    assert isinstance(part, TextPart) and "NPSH" not in part.content


async def test_a_call_that_was_sent_back_is_not_made_again():
    back = ModelRequest(parts=[ToolReturnPart("search_passages", "wrong", "extractive-search-0", outcome="retried")])

    part = await part_of(model({}), ASKED, SEARCHED, back)

    assert own_calls([ASKED, SEARCHED, back]) == {"extractive-search-0"}
    assert isinstance(part, TextPart) and read_marks(part.content).none == "no_passages"


def test_what_is_quoted_stays_one_unit_and_reads_as_printed():
    texts = ["1. The *fee* is 5_000 [m³/h]. See [[P9]].", "# Title | with bar", "- a list", "| a | b |", "12) x"]
    pieces = tuple(DraftSentence(text, 0, 0, 1, "sentence", 1.0) for text in texts)

    splitter = Splitter()
    units = splitter.feed(write_draft(Draft(pieces, False, "", "en"), ["P1"])) + splitter.close()

    said = [plain(read_marks(unit.text).text) for unit in units]
    assert said[0:2] == ["1. The *fee* is 5_000 [m³/h].", "See [[P9]]."]
    assert said[2:] == texts[1:] and all(unit.kind == "sentence" for unit in units)


def test_an_identifier_that_stands_nowhere_is_named_in_the_refusal():
    draft = Draft((), True, "identifier_missing", "nl", missing=("CRN 320-3",))

    marked = read_marks(write_draft(draft, []))

    assert marked.none == "identifier_missing" and marked.missing == ("CRN 320-3",)
