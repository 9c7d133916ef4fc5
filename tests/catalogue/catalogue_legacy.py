"""A made-up parts database as firms have them: abbreviated names, zero dates, several tables for one part."""

from __future__ import annotations

from pincite.catalogue.mapping import CatalogueMapping, JoinedTable, OemNumbers, PartColumns, Supersession

TABLES = (
    'CREATE TABLE "tblLeverancier" ("LevID" INT, "Naam" VARCHAR(40))',
    'CREATE TABLE "tblArtikel" ("ArtID" INT, "ArtNr" VARCHAR(24), "Omschr1" VARCHAR(60), "Omschr2" VARCHAR(60), '
    '"PompType" VARCHAR(20), "LevID" INT, "Prijs" {price}, "OEM1" VARCHAR(60), "Gewijzigd" {date}, "Actief" INT)',
    'CREATE TABLE "tblOEM" ("ArtID" INT, "Nr" VARCHAR(24))',
    'CREATE TABLE "tblVoorraad" ("ArtID" INT, "Aantal" INT)',
    'CREATE TABLE "tblVervangen" ("OudID" INT, "NieuwID" INT)',
)
ROWS = {
    "tblLeverancier": ((1, "Noord Seals"), (2, "Müller & Söhne")),
    "tblArtikel": (
        (1, "PX-1044-A", "Shaft seal", "22 mm", "TP 32", 1, "98.00", "70011844; 70025458", "2009-03-14", 1),
        (2, "PX-1044-B", "Shaft seal", "22 mm HQQE", "TP 32", 1, "112.50", "70011844", "2014-11-02", 1),
        (3, "PX-1044-C", "Shaft seal", "22 mm HQQV", "TP 32", 1, "0.00", None, "{zero}", 1),
        (4, "ZQ.9/2", "Dichtungsring für Kreiselpumpe", None, "TP 45", 2, "1234.50", None, "{zero}", 1),
        (5, "ALT-77", "Pump house", "cast iron", "TP 45", 2, "410.00", None, "1999-01-01", 0),
    ),
    "tblOEM": ((4, "OX/77-1"), (3, "70099999")),
    "tblVoorraad": ((1, 3), (2, 14), (3, 0), (4, 2)),
    "tblVervangen": ((1, 2), (2, 3), (4, 4)),
}
MAPPING = CatalogueMapping(
    part=PartColumns(
        table="tblArtikel",
        key="ArtID",
        number="ArtNr",
        manufacturer="lev.Naam",
        model="PompType",
        description=("Omschr1", "Omschr2"),
        stock="vrd.Aantal",
        price="Prijs",
        only={"Actief": 1},
    ),
    joins=(
        JoinedTable(table="tblLeverancier", name="lev", on={"LevID": "LevID"}),
        JoinedTable(table="tblVoorraad", name="vrd", on={"ArtID": "ArtID"}),
    ),
    oem=OemNumbers(columns="OEM1", table="tblOEM", part="ArtID", by="ArtID", number="Nr"),
    supersession=Supersession(table="tblVervangen", old="OudID", new="NieuwID", by="ArtID"),
    currency="EUR",
)


def statements(*, price: str, date: str, zero: str | None, mark: str, quote: str = '"'):
    """What makes the database: (SQL, values) in order; ``mark`` is the driver's placeholder, ``quote`` is for names."""
    for table in TABLES:
        yield table.format(price=price, date=date).replace('"', quote), ()
    for table, rows in ROWS.items():
        for row in rows:
            values = tuple(zero if value == "{zero}" else value for value in row)
            yield f"INSERT INTO {quote}{table}{quote} VALUES ({', '.join([mark] * len(row))})", values
