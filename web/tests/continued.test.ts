import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pieces } from "../src/answer.ts";
import { joinContinued } from "../src/continued.ts";
import { gridOf } from "../src/grid.ts";
import { today } from "../src/standing.ts";
import type { Answer, AnswerEvent, AnswerTable, Citation, DocumentNote } from "../src/wire.ts";

const { answers } = JSON.parse(readFileSync("dev/recording.json", "utf8")) as { answers: { match: string; events: AnswerEvent[] }[] };
const fee = answers.find((each) => each.match === "fee")?.events.at(-1)?.data as Answer;
const [table, cited] = [fee.tables[0] as AnswerTable, fee.citations[0] as Citation];

/** The table of the recording cut after `rows` rows, as a page break does: the second part repeats the header. */
function cut(rows: number): { tables: AnswerTable[]; citations: Citation[] } {
  const head = 2;
  const place = cited.pages[0];
  if (!place) throw new Error("no page");
  const part = (from: number, to: number, n: number): AnswerTable => ({
    ...table,
    id: `t${n}`,
    citation: n,
    rows: table.rows.slice(from, to),
    highlighted: table.highlighted.filter(([row]) => from <= row && row < to).map(([row, column]) => [row - from, column]),
    cells: table.cells
      .filter((cell) => cell.r1 < head || (cell.r1 >= head + from && cell.r0 < head + to))
      .map((cell) => (cell.r1 < head ? cell : { ...cell, r0: Math.max(cell.r0, head + from) - from, r1: Math.min(cell.r1, head + to - 1) - from })),
    footnotes: n === 1 ? ["*) net"] : ["*) net", "†) gross"],
  });
  const second: Citation = { ...cited, n: 2, pages: [{ ...place, page: place.page + 1 }] };
  return { tables: [part(0, rows, 1), part(rows, table.rows.length, 2)], citations: [cited, second] };
}

describe("a table that goes on over the sheet", () => {
  it("is one table with every row once and one header, wherever the sheet ended", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: table.rows.length - 1 }), (rows) => {
        const { tables, citations } = cut(rows);
        const [whole, ...others] = joinContinued(tables, citations);
        if (!whole) throw new Error("nothing is shown");

        expect(others).toEqual([]);
        expect(whole.marks).toEqual([1, 2]);
        expect(whole.rows).toEqual(table.rows);
        expect(whole.highlighted).toEqual(table.highlighted);
        expect(whole.footnotes).toEqual(["*) net", "†) gross"]);
        const { head, body } = gridOf(whole);
        expect(head).toEqual(gridOf(table).head);
        expect(body).toHaveLength(table.rows.length);
        const width = (row: number) =>
          whole.cells.filter((cell) => cell.r0 <= row + 2 && row + 2 <= cell.r1).reduce((sum, cell) => sum + cell.c1 - cell.c0 + 1, 0);
        for (let row = 0; row < table.rows.length; row += 1) expect(width(row), `row ${row} has no hole`).toBe(5);
      }),
    );
  });

  it("is shown once though the answer names each part", () => {
    const { tables, citations } = cut(2);

    const found = pieces({ blocks: [`Here it is. {{1}}\n\n${table.caption} {{1}}\n\n${table.caption} {{2}}`], tables, citations });

    expect(found.map(({ kind }) => kind)).toEqual(["group", "table"]);
  });

  it.each([
    ["of another document", { document: "other" }],
    ["of another revision", { sha256: "0".repeat(64) }],
    ["of another section", { section: ["5 Other"] }],
    ["two sheets on", { pages: [{ page: 9, label: "9", boxes: [] }] }],
  ])("is not joined to a part %s", (_, change) => {
    const { tables, citations } = cut(2);

    expect(joinContinued(tables, [cited, { ...(citations[1] as Citation), ...change }])).toHaveLength(2);
  });

  it("is not joined to a table with other columns or another caption", () => {
    const { tables, citations } = cut(2);
    const [first, second] = tables as [AnswerTable, AnswerTable];

    expect(joinContinued([first, { ...second, columns: second.columns.slice(1) }], citations)).toHaveLength(2);
    expect(joinContinued([first, { ...second, caption: "Table 9" }], citations)).toHaveLength(2);
  });
});

it("marks the row and the column of the evidence, and the evidence itself more", () => {
  const { head, body } = gridOf(table);
  const texts = (which: "evidence" | "along") => [...head, ...body].flat().filter((cell) => cell[which]).map(({ text }) => text);

  expect(texts("evidence")).toEqual(["Purchase", "0.20 %"]);
  expect(texts("along")).toEqual([
    ...["Domestic", "Debit", "0.30 %", "0.35 %", "0.45 %"],
    ...["0.25 %", "0.05 % of the purchase | minimum € 0.10", "€ 12,50"],
  ]);
  expect(gridOf({ ...table, cells: [] }).body[0]?.map(({ along }) => along)).toEqual([false, false, true, true, true]);
});

describe("how a cited revision stands today", () => {
  const plain = { document: "d", title: "", source: "", reason: "", pages: 1, language: "en", date: "", kind: "", summary: "" };
  const revision = (number: string, standing: DocumentNote["standing"]): DocumentNote =>
    ({ ...plain, revision: number, sha256: number.repeat(64), standing, tables: 0, pages_not_text: [], repaired: false });
  const of = (number: string, standing: DocumentNote["standing"] = "citable") => ({ sha256: number.repeat(64), standing });

  it.each([
    ["is the newest", of("3"), [revision("3", "citable"), revision("2", "readable")], { kind: "citable" }],
    ["was followed by another", of("2"), [revision("3", "citable"), revision("2", "readable")], { kind: "superseded", by: revision("3", "citable") }],
    ["is not kept any more, another is", of("1"), [revision("3", "citable")], { kind: "superseded", by: revision("3", "citable") }],
    ["is in quarantine", of("3"), [revision("3", "readable")], { kind: "standing", standing: "readable" }],
    ["was cited from quarantine", of("3", "readable"), [revision("3", "citable")], { kind: "standing", standing: "readable" }],
    ["is of a document that is gone", of("3"), [], { kind: "gone" }],
    ["is not known yet", of("3"), null, { kind: "citable" }],
  ])("when it %s", (_, citation, revisions, expected) => {
    expect(today(citation, revisions)).toEqual(expected);
  });
});
