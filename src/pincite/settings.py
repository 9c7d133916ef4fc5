"""Configuration: a TOML file, overridden by ``PINCITE_…`` variables; an unknown key is an error."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from pincite.errors import UsageError


class ModelSettings(BaseModel):
    """One chat model behind an endpoint that speaks the OpenAI protocol (also Ollama, vLLM, llama.cpp)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["openai"] = "openai"
    name: str
    """The model's name, as the endpoint knows it."""
    base_url: str
    api_key: SecretStr | None = None
    timeout_s: float = Field(default=60, gt=0)
    """Seconds to the first piece of a response, and between two."""
    temperature: float | None = 0.0
    """None for models that refuse the setting."""


class RetrievalSettings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    leg: int = Field(default=50, ge=1, le=1000)
    """Candidates from each of the dense and the BM25 leg."""
    fused: int = Field(default=30, ge=1, le=1000)
    """Candidates kept after fusion."""
    rrf_k: int = Field(default=10, ge=1)
    """Constant of reciprocal rank fusion."""
    passages: int = Field(default=10, ge=1, le=50)
    """Passages handed to the agent."""


class IndexSettings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    chunk_characters: int = Field(default=2000, ge=200, le=8000)
    average_length: float = Field(default=200, gt=0)
    """Tokens of a middling chunk for BM25; baked into a release, so it takes effect at the next index run."""
    releases_kept: int = Field(default=3, ge=1)


class OcrSettings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    engine: Literal["auto", "rapidocr", "tesseract", "off"] = "auto"
    """Who reads pages without usable text; ``auto`` takes rapidocr where it is installed, else tesseract."""


class VisionSettings(BaseModel):
    """A model that takes pictures, behind an endpoint that speaks the OpenAI protocol: it is sent pages and figures."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    base_url: str
    api_key: SecretStr | None = None
    timeout_s: float = Field(default=60, gt=0)
    """Seconds for one picture."""


class LimitSettings(BaseModel):
    """What one question may cost; at a limit the draft goes to a person."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tool_calls: int = Field(default=8, ge=1)
    seconds: float = Field(default=120, gt=0)
    question_characters: int = Field(default=8000, ge=100)


class Settings(BaseSettings):
    """Everything that can be configured. Variables: ``PINCITE_LIBRARY``, ``PINCITE_RETRIEVAL__RRF_K`` and so on."""

    model_config = SettingsConfigDict(env_prefix="PINCITE_", env_nested_delimiter="__", extra="forbid", frozen=True)

    library: Path = Path("pincite-library")
    models: tuple[ModelSettings, ...] = ()
    """Tried in order; the built-in extractive model is always the last."""
    retrieval: RetrievalSettings = RetrievalSettings()
    index: IndexSettings = IndexSettings()
    ocr: OcrSettings = OcrSettings()
    vision: VisionSettings | None = None
    """None: no picture is sent anywhere."""
    limits: LimitSettings = LimitSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Command line over environment over file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


_FAULTS = {"extra_forbidden": "there is no such setting", "missing": "is missing"}


def load(config: Path | None, library: Path | None) -> Settings:
    """Return the settings of ``config`` (TOML; None: defaults), with the library of the command line if given.

    Raises:
        UsageError: If the file is missing, not TOML, or holds an unknown key or a bad value; the message names it.
    """

    class Configured(Settings):
        model_config = SettingsConfigDict(toml_file=config)

    if config is not None and not config.is_file():
        raise UsageError(f"there is no configuration file {config}")
    given: dict[str, Any] = {} if library is None else {"library": library}
    try:
        return Configured(**given)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{config} is not valid TOML: {error}") from error
    except ValidationError as error:
        # The value itself is never repeated: it may be a key.
        faults = "; ".join(
            f"{'.'.join(map(str, e['loc']))}: {_FAULTS.get(e['type'], e['msg'])}"
            for e in error.errors(include_input=False)
        )
        raise UsageError(f"the configuration {config or 'in the environment'} is wrong: {faults}") from error
