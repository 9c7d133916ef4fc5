"""What each language model was asked and wrote for an answer, and what it cost."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "usage",
        sa.Column("answer", sa.String(64), sa.ForeignKey("answers.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("requests", sa.Integer, nullable=False),
        sa.Column("input_tokens", sa.Integer, nullable=False),
        sa.Column("cached_tokens", sa.Integer, nullable=False),
        sa.Column("output_tokens", sa.Integer, nullable=False),
        sa.Column("cost", sa.Float, nullable=True),
        sa.Column("estimated", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("usage")
