"""Clients of chat endpoints."""

from __future__ import annotations

import pytest

from pincite.errors import ModelError
from pincite.models import ChatEndpoint, chat_model


@pytest.mark.parametrize("url", ["", "localhost:11434/v1", "file:///etc/passwd", "ftp://host/v1", "http:///v1"])
def test_an_address_that_is_none_is_refused_with_the_form_it_should_have(url):
    with pytest.raises(ModelError, match=r"http://127\.0\.0\.1:11434/v1"):
        chat_model(ChatEndpoint(url, "m"))


def test_an_endpoint_without_a_model_name_is_refused():
    with pytest.raises(ModelError, match="/models"):
        chat_model(ChatEndpoint("http://127.0.0.1:11434/v1", " "))
