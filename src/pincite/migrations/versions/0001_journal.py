"""Conversations, answers with their steps and withheld sentences, events and feedback."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "conversations",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("updated", sa.String(32), nullable=False),
    )
    op.create_index("ix_conversations_updated", "conversations", ["updated"])
    op.create_table(
        "answers",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("conversation", sa.String(64), sa.ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False),
        sa.Column("asked_at", sa.String(32), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("standalone_question", sa.Text, nullable=False),
        sa.Column("outcome", sa.String(16), nullable=True),
        sa.Column("markdown", sa.Text, nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("release", sa.String(64), nullable=False),
        sa.Column("first_step", sa.Integer, nullable=True),
        sa.Column("first_block", sa.Integer, nullable=True),
        sa.Column("milliseconds", sa.Integer, nullable=True),
        sa.Column("json", sa.Text, nullable=True),
    )
    op.create_index("ix_answers_conversation", "answers", ["conversation", "asked_at"])
    op.create_index("ix_answers_asked_at", "answers", ["asked_at"])
    op.create_index("ix_answers_outcome", "answers", ["outcome"])
    op.create_table(
        "events",
        sa.Column("answer", sa.String(64), sa.ForeignKey("answers.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("type", sa.String(16), nullable=False),
        sa.Column("json", sa.Text, nullable=False),
    )
    op.create_table(
        "steps",
        sa.Column("answer", sa.String(64), sa.ForeignKey("answers.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("tool", sa.Text, nullable=False),
        sa.Column("arguments", sa.Text, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        sa.Column("milliseconds", sa.Integer, nullable=False),
    )
    op.create_table(
        "withheld",
        sa.Column("answer", sa.String(64), sa.ForeignKey("answers.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("claim", sa.Text, nullable=False),
        sa.Column("verdict", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
    )
    op.create_table(
        "cited",
        sa.Column("answer", sa.String(64), sa.ForeignKey("answers.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("document", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("revision", sa.Text, nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("standing", sa.String(16), nullable=False),
    )
    op.create_index("ix_cited_revision", "cited", ["document", "sha256"])
    op.create_table(
        "feedback",
        sa.Column("answer", sa.String(64), sa.ForeignKey("answers.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("thumbs", sa.String(8), nullable=False),
        sa.Column("word", sa.Text, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )


def downgrade() -> None:
    for table in ("feedback", "cited", "withheld", "steps", "events", "answers", "conversations"):
        op.drop_table(table)
