"""Everything that Pincite raises on purpose.

PinciteError                    the message is one sentence that tells the user what to do next
├── UsageError                  the request itself is wrong: unknown document, empty question, bad option
│   └── NoConversation          there is no conversation of that id, or not any more
├── InputError                  a file or record cannot be used; `source` names it
│   └── UnreadablePdf           a PDF that cannot be opened; `reason` says why
├── LibraryError                the library directory cannot be used as asked
│   ├── NotIndexed              nothing was published yet
│   ├── LibraryBusy             another process owns the release's store
│   ├── LibraryDamaged          a stored file does not have the bytes it was written with
│   ├── WrongModel              the release was built with another embedding model
│   ├── WrongReader             the release was made by another version than this one reads
│   ├── DocumentWithdrawn       the document may not be read any more
│   └── StoreUnavailable        a store lies on a server that does not answer or is not configured
├── DiskError                   full disk or missing permission; `path` names the place
├── ModelError                  a model endpoint or the embedded model cannot be used
├── CatalogueError              the parts catalogue is not as it is configured, or a statement would do more than read
│   └── CatalogueUnavailable    its database does not answer, or not in time
└── ServeError                  the server cannot start: port in use, unsafe address
"""

from __future__ import annotations


class PinciteError(Exception):
    """Base of everything raised on purpose; ``str(error)`` is fit to be shown to a user."""


class UsageError(PinciteError):
    """The request is wrong as it stands."""


class NoConversation(UsageError):
    """There is no conversation of the id that was given."""

    def __init__(self) -> None:
        super().__init__("There is no such conversation: it may have been deleted. Ask without one to begin a new one.")


class InputError(PinciteError):
    """A file or record cannot be used."""

    def __init__(self, message: str, *, source: str) -> None:
        super().__init__(message)
        self.source = source


class UnreadablePdf(InputError):
    """A PDF that cannot be opened or read within its limits."""

    def __init__(self, reason: str, *, source: str) -> None:
        super().__init__(f"{source}: {reason}", source=source)
        self.reason = reason


class DamagedPdf(UnreadablePdf):
    """A PDF that cannot be opened as it is; a repaired copy may be."""


class LibraryError(PinciteError):
    """The library directory cannot be used as asked."""


class NotIndexed(LibraryError):
    """No release was published in this library yet."""


class LibraryBusy(LibraryError):
    """Another process owns the store of the release."""


class LibraryDamaged(LibraryError):
    """A stored file does not have the bytes it was written with."""


class WrongModel(LibraryError):
    """The release was built with another embedding model than the one configured."""


class WrongReader(LibraryError):
    """The release was made by another version than this one reads."""


class DocumentWithdrawn(LibraryError):
    """The document was withdrawn: nobody may read it any more."""


class StoreUnavailable(LibraryError):
    """A store lies where it cannot be reached now: on a server that is gone, refuses, or is not configured."""


class DiskError(PinciteError):
    """The disk is full or a place may not be written."""

    def __init__(self, message: str, *, path: str) -> None:
        super().__init__(message)
        self.path = path


class ModelError(PinciteError):
    """A model, embedded or behind an endpoint, cannot be used."""


class CatalogueError(PinciteError):
    """The parts catalogue cannot be used as it is configured."""


class CatalogueUnavailable(CatalogueError):
    """The catalogue's database does not answer, or not in time."""


class ServeError(PinciteError):
    """The server cannot start."""
