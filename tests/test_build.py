from pincite.build import House
from pincite.index.edge import EmbeddedEngine
from pincite.serve import client
from pincite.settings import Settings


def test_a_command_that_comes_while_a_server_starts_asks_it(tmp_path, encoder, monkeypatch):
    file = tmp_path / "made.jsonl"
    file.write_text('{"id": "1", "document": "fees", "section": [], "text": "A refund costs 5 cents."}')
    starting = House(Settings(library=tmp_path / "library"))
    starting.__dict__["encoder"] = encoder
    starting.indexer().index_passages(file)
    held = starting.retriever()  # a server opens the release before it listens
    served = iter([False, True])
    monkeypatch.setattr(client, "is_served", lambda _: next(served))
    monkeypatch.setattr(client, "ask_server", lambda *_: {"passages": ["from the server"]})
    command = House(Settings(library=tmp_path / "library"))
    command.__dict__.update(encoder=encoder, engine=EmbeddedEngine(wait_s=0.1))

    found = command.search("refund", k=3, mode="hybrid", debug=False)

    assert found == {"passages": ["from the server"]}
    held.close()
