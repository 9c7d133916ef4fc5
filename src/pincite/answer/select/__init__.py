"""The built-in model's choice: which literal sentences, list entries and table rows answer a question."""

from pincite.answer.select.compose import compose
from pincite.answer.select.draft import Draft, DraftSentence, PieceKind, RefusalReason
from pincite.answer.select.nearness import Similarity

__all__ = ["Draft", "DraftSentence", "PieceKind", "RefusalReason", "Similarity", "compose"]
