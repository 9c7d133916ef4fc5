"""Financial reports: figures ruled off column by column, with bare labels beside them and signs of currency."""

from corpus_pages import Sheet

from pincite.corpus.pdf import read_pdf
from pincite.corpus.tables import rows

COLUMNS = ((300, 360), (370, 430), (440, 500))
LINES = [
    ("Cost of revenue", "$", ("178", "141", "138")),
    ("Research", "", ("3,423", "2,532", "1,892")),
    ("Sales and general", "", ("1,136", "876", "680")),
    ("Total", "$", ("4,737", "3,549", "2,710")),
]


def report(labels=tuple(label for label, _, _ in LINES)):
    sheet = Sheet().text("The costs of the share plans of the years are given below.")

    def rule(y):
        for a, b in COLUMNS:
            sheet.canvas.line(a, y, b, y)

    sheet.at(378, 662, "Year ended", size=9)
    rule(658)
    for (a, _), name in zip(COLUMNS, ("May 2025", "May 2024", "May 2023"), strict=True):
        sheet.at(a + 8, 648, name, size=9)
    rule(644)
    for k, (_, sign, figures) in enumerate(LINES):
        y = 630 - 14 * k
        if k == len(LINES) - 1:
            rule(y + 10)
        for (a, b), figure in zip(COLUMNS, figures, strict=True):
            sheet.at(a + 2, y, sign, size=9)
            sheet.at(b - 4 - sheet.canvas.stringWidth(figure, "Helvetica", 9), y, figure, size=9)
    rule(630 - 14 * len(LINES) + 10)
    for k, label in enumerate(labels):
        sheet.at(72, 630 - 14 * k, label, size=9)
    return sheet


def test_rows_of_figures_that_are_ruled_off_alone_keep_their_labels_names_and_signs():
    (table,) = read_pdf(report().bytes(), "report.pdf").tables

    assert rows(table) == (
        ("", *("Year ended",) * 3),
        ("", "May 2025", "May 2024", "May 2023"),
        ("Cost of revenue", "$ 178", "$ 141", "$ 138"),
        ("Research", "3,423", "2,532", "1,892"),
        ("Sales and general", "1,136", "876", "680"),
        ("Total", "$ 4,737", "$ 3,549", "$ 2,710"),
    )


def test_a_column_of_prose_beside_figures_does_not_label_them():
    prose = (
        "the company has paid in full what it",
        "owed to all its members in this year",
        "and in the one before, as it had been",
    )
    (table,) = read_pdf(report((*prose, "agreed with them in writing before it")).bytes(), "report.pdf").tables

    assert not any("members" in cell.text for cell in table.cells)
    assert rows(table)[-1] == ("$ 4,737", "$ 3,549", "$ 2,710")


def test_a_heat_map_has_a_row_for_each_line_also_where_neighbours_have_one_colour():
    sheet = Sheet().text("The share of tasks that each agent has done is given below.")
    values = [("0.88", "0.40"), ("0.88", "0.40"), ("0.88", "0.20"), ("0.10", "0.20"), ("0.10", "0.60")]
    sheet.canvas.line(72, 668, 340, 668)
    for x, name in ((76, "Task"), (208, "First"), (268, "Second")):
        sheet.at(x, 656, name, size=9)
    sheet.canvas.line(72, 650, 340, 650)
    for k, row in enumerate(values):
        y = 634 - 12 * k
        for x, value in zip((200, 260), row, strict=True):
            sheet.canvas.setFillGray(1 - 0.5 * float(value))
            sheet.canvas.rect(x, y - 3, 60, 12, stroke=0, fill=1)
            sheet.canvas.setFillGray(0)
            sheet.at(x + 10, y, value, size=9)
        sheet.at(76, y, f"Task {'abcde'[k]}", size=9)
    sheet.canvas.line(72, 634 - 12 * 4 - 6, 340, 634 - 12 * 4 - 6)

    (table,) = read_pdf(sheet.bytes(), "agents.pdf").tables

    expected = tuple((f"Task {'abcde'[k]}", *row) for k, row in enumerate(values))
    assert rows(table) == (("Task", "First", "Second"), *expected)
