import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { emptyView, pieces, viewOf, withEvent } from "../src/answer.ts";
import { copyText } from "../src/cite.ts";
import { gridOf } from "../src/grid.ts";
import { languages, pickLanguage } from "../src/strings.ts";
import type { Answer, AnswerEvent, AnswerTable } from "../src/wire.ts";

const { answers } = JSON.parse(readFileSync("dev/recording.json", "utf8")) as { answers: { match: string; events: AnswerEvent[] }[] };
const eventsOf = (match: string): AnswerEvent[] => answers.find((each) => each.match === match)?.events ?? [];
const outcomeOf = (match: string): Answer => eventsOf(match).at(-1)?.data as Answer;
const shown = (view: Parameters<typeof pieces>[0]): string[] =>
  pieces(view).map((piece) => (piece.kind === "table" ? `table ${piece.table.id}` : piece.group.html));

describe.each(["fridge", "fee", "toaster", ""])("the answer to “%s”", (match) => {
  it("shows after the stream what it shows after a reload", () => {
    const events = eventsOf(match);
    const beforeOutcome = events.slice(0, -1).reduce(withEvent, emptyView());
    const stored = viewOf(outcomeOf(match));

    expect(shown(beforeOutcome)).toEqual(shown(stored));
    expect(beforeOutcome.citations).toEqual(stored.citations);
    expect(beforeOutcome.withheld).toEqual(stored.withheld);
    expect(events.reduce(withEvent, emptyView()).answer).toEqual(stored.answer);
  });

  it("never takes back a piece that was shown", () => {
    let view = emptyView();
    let before: string[] = [];
    for (const event of eventsOf(match)) {
      view = withEvent(view, event);
      const now = shown(view);
      // The last piece may grow; those before it stay as they are.
      expect(now.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
      before = now;
    }
  });
});

it("puts a source table behind the first piece that cites it", () => {
  const order = shown(viewOf(outcomeOf("fee")));

  expect(order[0]).toContain("costs 0.20 %");
  expect(order[1]).toBe("table t1");
});

it("shows a source table once, in the place of the piece that only names it", () => {
  const answer = outcomeOf("fee");
  const [table] = answer.tables;
  if (!table) throw new Error("no table");
  const named = `First {{${table.citation}}}\n\n${table.caption} {{${table.citation}}}\n\nLast {{${table.citation}}}`;

  const order = shown(viewOf({ ...answer, markdown: named }));

  expect(order).toHaveLength(3);
  expect(order[1]).toBe("table t1");
  expect(order.join()).not.toContain(table.caption);
});

it("copies a row of the catalogue with its key and when it was read, and without an address", () => {
  const [first] = outcomeOf("fridge").citations;
  if (!first) throw new Error("no citation");
  const row = { ...first, title: "Parts", section: ["PX-1"], pages: [], revision: "", quote: "Price: EUR 9.50", url: "", row: "parts id=7", retrieved_at: "2026-12-01T09:30:00+00:00" };

  const copied = copyText({ markdown: "PX-1 costs EUR 9.50 {{1}}", citations: [row] }, "http://127.0.0.1");

  expect(copied).toContain("[1] Parts, PX-1, row parts id=7, read ");
  expect(copied).not.toContain("http");
});

it("numbers a citation that grows once", () => {
  const [first] = outcomeOf("fridge").citations;
  if (!first) throw new Error("no citation");
  const block = (quote: string): AnswerEvent => ({ event: "block", data: { markdown: "A {{1}}", citations: [{ ...first, quote }] } });

  const view = [block("short"), block("short and longer")].reduce(withEvent, emptyView());

  expect(view.citations.map(({ n, quote }) => [n, quote])).toEqual([[1, "short and longer"]]);
});

it("copies as text with numbers, places, quotations and addresses", () => {
  const text = copyText(outcomeOf("fee"), "http://127.0.0.1:8000");

  expect(text).toContain("A domestic purchase with a debit card costs 0.20 %. [1]");
  expect(text).toContain("Purchase | debit | 0.20 % [1]");
  expect(text).toContain("[1] Farrow Rulebook: Acceptance, revision 5, 4 Fees, page 2");
  expect(text).toContain("“Purchase | 0.20 %");
  expect(text).toMatch(/http:\/\/127\.0\.0\.1:8000\/view\/farrow-acceptance\/[0-9a-f]{64}\?page=4$/);
  expect(text).not.toContain("{{");
});

describe("a source table", () => {
  const table = outcomeOf("fee").tables[0] as AnswerTable;

  it("keeps merged cells merged, and marks the evidence", () => {
    const { head, body } = gridOf(table);

    expect(head.map((row) => row.map(({ text, rowSpan, colSpan, scope }) => [text, rowSpan, colSpan, scope]))).toEqual([
      [["Fee", 2, 1, "col"], ["Domestic", 1, 2, "colgroup"], ["Cross-border", 1, 2, "colgroup"]],
      [["Debit", 1, 1, "col"], ["Credit", 1, 1, "col"], ["Debit", 1, 1, "col"], ["Credit", 1, 1, "col"]],
    ]);
    expect(body[0]?.map(({ text, rowSpan, evidence }) => [text, rowSpan, evidence])).toEqual([
      ["Purchase", 1, true],
      ["0.20 %", 1, true],
      ["0.30 %", 1, false],
      ["0.35 %", 2, false],
      ["0.45 %", 1, false],
    ]);
    expect(body[1]).toHaveLength(4);
    expect(body[1]?.map(({ right }) => right)).toEqual([false, false, false, true]);
    expect(body.at(-1)?.every(({ bottom }) => bottom)).toBe(true);
    expect(body[2]?.[1]).toMatchObject({ text: "0.05 % of the purchase | minimum € 0.10", colSpan: 4 });
  });

  it("marks a merged cell from any row that it covers", () => {
    const { head, body } = gridOf({ ...table, highlighted: [[1, 3]] });

    expect([...head, ...body].flat().filter(({ evidence }) => evidence).map(({ text }) => text)).toEqual(["0.35 %"]);
  });

  it("is shown from its rows when there is no grid", () => {
    const { head, body } = gridOf({ ...table, cells: [] });

    expect(head[0]?.[1]?.text).toBe("Domestic Debit");
    expect(body[0]?.[1]).toMatchObject({ text: "0.20 %", evidence: true });
  });
});

it("speaks the first of the reader's languages that it knows", () => {
  expect(pickLanguage(["pl", "nl-BE", "en"])).toBe("nl");
  expect(pickLanguage(["pl"])).toBe("en");
});

it("has every word in every language", () => {
  const keys = Object.keys(languages["en"] ?? {});

  for (const words of Object.values(languages)) {
    expect(Object.keys(words)).toEqual(keys);
    for (const [key, value] of Object.entries(words)) expect(value, key).not.toBe("");
  }
});
