"""The journal's tables as the last step leaves them; a test keeps the two equal."""

from __future__ import annotations

from sqlalchemy import Float, ForeignKey, Index, Integer, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """The journal's tables; ``pincite.migrations`` makes them, a test keeps the two equal."""


class ConversationRow(Base):
    __tablename__ = "conversations"
    __table_args__ = (Index("ix_conversations_updated", "updated"),)
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    title: Mapped[str] = mapped_column(Text)
    created: Mapped[str] = mapped_column(String(32))
    updated: Mapped[str] = mapped_column(String(32))


class AnswerRow(Base):
    __tablename__ = "answers"
    __table_args__ = (
        Index("ix_answers_conversation", "conversation", "asked_at"),
        Index("ix_answers_asked_at", "asked_at"),
        Index("ix_answers_outcome", "outcome"),
    )
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    conversation: Mapped[str] = mapped_column(String(64), ForeignKey("conversations.id", ondelete="CASCADE"))
    asked_at: Mapped[str] = mapped_column(String(32))
    question: Mapped[str] = mapped_column(Text)
    standalone_question: Mapped[str] = mapped_column(Text)
    outcome: Mapped[str | None] = mapped_column(String(16))
    """None while it is being answered, and for good when that broke or was stopped."""
    markdown: Mapped[str] = mapped_column(Text)
    model: Mapped[str] = mapped_column(Text)
    release: Mapped[str] = mapped_column(String(64))
    first_step: Mapped[int | None] = mapped_column(Integer)
    first_block: Mapped[int | None] = mapped_column(Integer)
    milliseconds: Mapped[int | None] = mapped_column(Integer)
    json: Mapped[str | None] = mapped_column(Text)


class EventRow(Base):
    __tablename__ = "events"
    answer: Mapped[str] = mapped_column(String(64), ForeignKey("answers.id", ondelete="CASCADE"), primary_key=True)
    n: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    type: Mapped[str] = mapped_column(String(16))
    json: Mapped[str] = mapped_column(Text)


class StepRow(Base):
    __tablename__ = "steps"
    answer: Mapped[str] = mapped_column(String(64), ForeignKey("answers.id", ondelete="CASCADE"), primary_key=True)
    n: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    tool: Mapped[str] = mapped_column(Text)
    arguments: Mapped[str] = mapped_column(Text)
    summary: Mapped[str] = mapped_column(Text)
    milliseconds: Mapped[int] = mapped_column(Integer)


class WithheldRow(Base):
    __tablename__ = "withheld"
    answer: Mapped[str] = mapped_column(String(64), ForeignKey("answers.id", ondelete="CASCADE"), primary_key=True)
    n: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    text: Mapped[str] = mapped_column(Text)
    claim: Mapped[str] = mapped_column(Text)
    verdict: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str] = mapped_column(Text)


class CitedRow(Base):
    __tablename__ = "cited"
    __table_args__ = (Index("ix_cited_revision", "document", "sha256"),)
    answer: Mapped[str] = mapped_column(String(64), ForeignKey("answers.id", ondelete="CASCADE"), primary_key=True)
    n: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    document: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(Text)
    revision: Mapped[str] = mapped_column(Text)
    sha256: Mapped[str] = mapped_column(String(64))
    standing: Mapped[str] = mapped_column(String(16))


class UsageRow(Base):
    __tablename__ = "usage"
    answer: Mapped[str] = mapped_column(String(64), ForeignKey("answers.id", ondelete="CASCADE"), primary_key=True)
    n: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    model: Mapped[str] = mapped_column(Text)
    requests: Mapped[int] = mapped_column(Integer)
    input_tokens: Mapped[int] = mapped_column(Integer)
    cached_tokens: Mapped[int] = mapped_column(Integer)
    output_tokens: Mapped[int] = mapped_column(Integer)
    cost: Mapped[float | None] = mapped_column(Float)
    """In the currency of the configured prices; None when there was no price."""
    estimated: Mapped[int] = mapped_column(Integer)
    """1 when the endpoint did not say and tokens were counted here, else 0."""


class FeedbackRow(Base):
    __tablename__ = "feedback"
    answer: Mapped[str] = mapped_column(String(64), ForeignKey("answers.id", ondelete="CASCADE"), primary_key=True)
    thumbs: Mapped[str] = mapped_column(String(8))
    word: Mapped[str] = mapped_column(Text)
    at: Mapped[str] = mapped_column(String(32))
