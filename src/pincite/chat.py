"""Clients of chat endpoints: OpenAI's protocol and all that is compatible, Azure OpenAI's and Anthropic's.

The protocols are spoken by pydantic-ai and the providers' own clients (docs/adr/0029); both are imported late.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pincite.errors import ModelError
from pincite.models import check_address

if TYPE_CHECKING:
    from pydantic_ai import RunContext
    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
    from pydantic_ai.settings import ModelSettings

ChatKind: TypeAlias = Literal["openai", "azure", "anthropic"]
"""Whose protocol an endpoint speaks. ``openai``: OpenAI itself and all that is compatible (Ollama, vLLM, llama.cpp)."""

OPENAI_URL = "https://api.openai.com/v1"
ANTHROPIC_URL = "https://api.anthropic.com"


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in the one currency that the configuration uses."""

    input: float
    output: float
    cached: float | None = None
    """Of input that the endpoint had in its cache; None: as ``input``."""

    def of(self, input_tokens: int, cached_tokens: int, output_tokens: int) -> float:
        """The cost of a response; ``cached_tokens`` are among ``input_tokens``.

        >>> Price(2.0, 10.0, 0.5).of(1_000_000, 400_000, 100_000)
        2.4
        """
        cached = self.input if self.cached is None else self.cached
        fresh = (input_tokens - cached_tokens) * self.input
        return (fresh + cached_tokens * cached + output_tokens * self.output) / 1_000_000


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """One model of one endpoint."""

    base_url: str
    """``openai``: up to and with the version (``http://127.0.0.1:11434/v1``); ``azure``: of the resource;
    ``anthropic``: without the version. Empty: OpenAI's or Anthropic's own."""
    model: str
    """As the endpoint knows it; of Azure the deployment's name."""
    key: str = field(default="", repr=False)
    """Never shown, not even in a traceback's repr; empty for an endpoint that asks for none."""
    kind: ChatKind = "openai"
    api_version: str = ""
    """Of Azure; none where the base URL ends with ``/v1``."""
    connect_s: float = 5.0
    first_token_s: float = 45.0
    """Seconds until the first event of a response; then the next model of the chain is asked."""
    silence_s: float = 30.0
    """Seconds between two pieces of a response after which it counts as broken."""
    patience_s: float = 5.0
    """Longest wait that a busy endpoint may ask for (Retry-After) and get, once a response; above it the next model of
    the chain answers sooner."""
    temperature: float | None = 0.0
    """None for models that refuse the setting."""
    max_tokens: int | None = None
    """Of one response. None: the endpoint's own limit; Anthropic must be told one and gets 8,000."""
    price: Price | None = None
    """None: tokens are counted, costs are not known."""


def address_of(endpoint: ChatEndpoint) -> str:
    """Where the endpoint is asked, its provider's own address when none is configured."""
    return endpoint.base_url or {"openai": OPENAI_URL, "anthropic": ANTHROPIC_URL}.get(endpoint.kind, "")


def ask_models(endpoint: ChatEndpoint, timeout_s: float = 10.0) -> str:
    """Whether the endpoint answers and knows the model, in words. It is asked for its list of models: that is free.

    Raises:
        ModelError: It cannot be reached, refuses the key, or does not list the model.
    """
    address = address_of(endpoint)
    _check_chat(endpoint)
    import httpx2

    base = address.rstrip("/")
    url, headers = f"{base}/models", {"Authorization": f"Bearer {endpoint.key}"}
    if endpoint.kind == "anthropic":
        from anthropic import Anthropic

        # Its client knows in which header the key goes and which version of the protocol is meant.
        known = Anthropic(api_key=endpoint.key or "none", base_url=address).default_headers
        url, headers = f"{base}/v1/models?limit=1000", {name: v for name, v in known.items() if isinstance(v, str)}
    elif endpoint.api_version:
        url, headers = f"{base}/openai/models?api-version={endpoint.api_version}", {"api-key": endpoint.key}
    try:
        response = httpx2.get(url, headers=headers if endpoint.key else {}, timeout=timeout_s)
    except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeEncodeError) as error:
        why = "did not answer in time" if isinstance(error, httpx2.TimeoutException) else "cannot be reached"
        raise ModelError(
            f"{endpoint.model} at {address} {why}: see whether it runs and whether base_url is right"
        ) from error
    if response.status_code in (401, 403):
        raise ModelError(f"{endpoint.model} at {address} refuses the key: set another api_key")
    if response.status_code == 404:
        return f"{address} answers, but lists no models"
    if response.status_code != 200:
        raise ModelError(f"{endpoint.model} at {address} fails (HTTP {response.status_code})")
    try:
        # Any: JSON of a stranger; whatever is not as it should be ends below.
        names: set[Any] = {one["id"] for one in response.json()["data"]}
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise ModelError(f"what answers at {address} is not of the kind {endpoint.kind!r}: check kind") from error
    # Azure lists models, not the deployments that are asked; others know names for their names ("latest").
    if endpoint.kind == "azure" or endpoint.model in names:
        return f"{address} answers"
    some = ", ".join(sorted(map(str, names))[:5]) or "none"
    return f"{address} answers, but does not list that name (it lists {some})"


def _check_chat(endpoint: ChatEndpoint) -> None:
    check_address(address_of(endpoint), endpoint.model)
    if endpoint.kind == "azure" and not endpoint.api_version and not _is_v1(endpoint.base_url):
        raise ModelError(
            "Azure needs an api_version beside the address of the resource: set one, or write the address with "
            "/openai/v1 at its end."
        )


def chat_model(endpoint: ChatEndpoint) -> Model:
    """A client of the endpoint. Nothing is sent before the first question.

    Raises:
        ModelError: when the base URL, the model's name or what its kind needs cannot be used.
    """
    _check_chat(endpoint)
    # 1.6 s of imports that the command line must not pay for.
    from pydantic_ai.settings import ModelSettings

    settings = ModelSettings(first_event_timeout=endpoint.first_token_s)
    if endpoint.temperature is not None:
        settings["temperature"] = endpoint.temperature
    if endpoint.max_tokens is not None:
        settings["max_tokens"] = endpoint.max_tokens
    made = _anthropic(endpoint, settings) if endpoint.kind == "anthropic" else _openai(endpoint, settings)
    return _patient(made, endpoint.patience_s)


def _openai(endpoint: ChatEndpoint, settings: ModelSettings) -> Model:
    import httpx2
    from openai import AsyncAzureOpenAI, AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.azure import AzureProvider
    from pydantic_ai.providers.openai import OpenAIProvider

    timeout = httpx2.Timeout(endpoint.silence_s, connect=endpoint.connect_s)
    # The client wants some key; an endpoint without keys ignores it. The chain is the retry: a second model, in the end
    # the built-in one, answers sooner than a third try.
    key = endpoint.key or "none"
    if endpoint.kind == "azure" and endpoint.api_version:
        azure = AsyncAzureOpenAI(
            azure_endpoint=endpoint.base_url,
            api_version=endpoint.api_version,
            api_key=key,
            timeout=timeout,
            max_retries=0,
        )
        return OpenAIChatModel(endpoint.model, provider=AzureProvider(openai_client=azure), settings=settings)
    client = AsyncOpenAI(base_url=address_of(endpoint), api_key=key, timeout=timeout, max_retries=0)
    return OpenAIChatModel(endpoint.model, provider=OpenAIProvider(openai_client=client), settings=settings)


def _anthropic(endpoint: ChatEndpoint, settings: ModelSettings) -> Model:
    import httpx2
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    settings.setdefault("max_tokens", 8000)
    client = AsyncAnthropic(
        base_url=address_of(endpoint),
        api_key=endpoint.key or "none",
        timeout=httpx2.Timeout(endpoint.silence_s, connect=endpoint.connect_s),
        max_retries=0,
    )
    return AnthropicModel(endpoint.model, provider=AnthropicProvider(anthropic_client=client), settings=settings)


def _is_v1(base_url: str) -> bool:
    return base_url.rstrip("/").endswith("/v1")


def _patient(model: Model, seconds: float) -> Model:
    """The model, asked once more after the pause that it asks for when it is busy, if that is not too long."""
    from pydantic_ai.exceptions import ModelAPIError
    from pydantic_ai.models.wrapper import WrapperModel

    class Patient(WrapperModel):
        @asynccontextmanager
        async def request_stream(
            self,
            messages: list[ModelMessage],
            model_settings: ModelSettings | None,
            model_request_parameters: ModelRequestParameters,
            run_context: RunContext[Any] | None = None,
        ) -> AsyncGenerator[StreamedResponse]:
            asked = messages, model_settings, model_request_parameters, run_context
            async with AsyncExitStack() as stack:
                try:
                    response = await stack.enter_async_context(super().request_stream(*asked))
                except ModelAPIError as error:
                    if error.retry_after is None or error.retry_after > seconds:
                        raise
                    await asyncio.sleep(error.retry_after)
                    response = await stack.enter_async_context(super().request_stream(*asked))
                yield response

    return Patient(model)
