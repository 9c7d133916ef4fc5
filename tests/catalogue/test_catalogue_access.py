"""A Microsoft Access export, as `mdb-export` writes it."""

from __future__ import annotations

import os
from dataclasses import replace
from decimal import Decimal

import pytest
from catalogue_legacy import MAPPING

from pincite.catalogue import Catalogue
from pincite.errors import CatalogueError, CatalogueUnavailable

# As `mdb-export` prints: names of columns, texts in quotation marks, numbers bare, nothing between commas, 1 for yes.
ARTIKEL = (
    "ArtID,ArtNr,Omschr1,Omschr2,PompType,LevID,Prijs,OEM1,Gewijzigd,Actief\n"
    '1,"PX-1044-A","Shaft seal","22 mm","TP 32",1,98.0000,"70011844; 70025458","03/14/09 00:00:00",1\n'
    '2,"PX-1044-B","Shaft seal, ""HQQE""","22 mm\nfor hot water","TP 32",1,112.5000,,,1\n'
    '3,"PX-1044-C","Gehäuse",,"TP 32",2,0.0000,,,1\n'
)
FILES = {
    "tblArtikel": ARTIKEL,
    "tblLeverancier": 'LevID,Naam\n1,"Noord Seals"\n2,"Müller & Söhne"\n',
    "tblOEM": 'ArtID,Nr\n3,"70099999"\n',
    "tblVoorraad": "ArtID,Aantal\n1,3\n2,14\n",
    "tblVervangen": "OudID,NieuwID\n1,2\n2,3\n",
}


@pytest.fixture
def export(tmp_path):
    for table, text in FILES.items():
        (tmp_path / f"{table}.csv").write_text(text, encoding="utf-8")
        os.utime(tmp_path / f"{table}.csv", (1_700_000_000, 1_700_000_000))
    return tmp_path


@pytest.fixture
def mapping():
    # Everything is text in an export: 1 stands there as "1".
    return replace(MAPPING, part=replace(MAPPING.part, only={"Actief": "1"}))


def test_an_export_is_looked_up_like_the_database_that_it_was(export, mapping):
    found = Catalogue(mapping, export).lookup("px-1044-b").found

    part = found[0].part
    assert [(one.match, one.part.number) for one in found] == [("number", "PX-1044-B"), ("successor", "PX-1044-C")]
    assert part.description == 'Shaft seal, "HQQE" 22 mm for hot water'
    assert (part.price, part.stock, part.manufacturer) == (Decimal("112.5"), 14, "Noord Seals")
    assert (part.supersedes, part.superseded_by) == (("PX-1044-A",), ("PX-1044-C",))
    assert found[1].part.oem_numbers == ("70099999",)


def test_its_rows_were_read_when_it_was_exported(export, mapping):
    assert Catalogue(mapping, export).lookup("PX-1044-A").found[0].part.read_at == "2023-11-14T22:13:20+00:00"


def test_a_new_export_is_seen_at_the_next_question(export, mapping):
    catalogue = Catalogue(mapping, export)
    assert catalogue.lookup("PX-1044-A").found[0].part.price == 98

    (export / "tblArtikel.csv").write_text(ARTIKEL.replace("98.0000", "99.0000"), encoding="utf-8")

    assert catalogue.lookup("PX-1044-A").found[0].part.price == 99


def test_a_file_that_is_missing_is_named_with_the_command_that_writes_it(export, mapping):
    (export / "tblOEM.csv").unlink()

    with pytest.raises(CatalogueUnavailable, match=r"lacks tblOEM\.csv: `mdb-export"):
        Catalogue(mapping, export).lookup("PX-1044-A")


@pytest.mark.parametrize(
    "text",
    ["", "ArtID,ArtID\n1,2\n", '1,"PX",,\n', "ArtID,Nr\n1,2,3\n", "ArtID,Nr\n1\n"],
    ids=["empty", "a name twice", "no names", "a field too many", "a field too few"],
)
def test_what_is_no_export_is_refused(export, mapping, text):
    (export / "tblOEM.csv").write_text(text, encoding="utf-8")

    with pytest.raises(CatalogueError, match="tblOEM"):
        Catalogue(mapping, export).lookup("PX-1044-A")


def test_the_export_is_not_written(export, mapping):
    before = {file.name: file.read_bytes() for file in export.iterdir()}

    Catalogue(mapping, export).lookup("'; DROP TABLE tblArtikel; --")

    assert {file.name: file.read_bytes() for file in export.iterdir()} == before
