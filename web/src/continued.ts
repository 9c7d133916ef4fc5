import type { AnswerTable, Citation } from "./wire.ts";

/** A table as it is shown: one that goes on over the sheet is one table, with a mark for each of its parts. */
export interface ShownTable extends AnswerTable {
  marks: number[];
}

/** The tables of an answer in order; those that go on on the next sheet of a section joined to what they continue. */
export function joinContinued(tables: readonly AnswerTable[], citations: readonly Citation[]): ShownTable[] {
  const cited = new Map(citations.map((citation) => [citation.n, citation]));
  const shown: ShownTable[] = [];
  let last: AnswerTable | undefined;
  for (const table of tables) {
    const whole = shown.at(-1);
    if (whole && last && goesOn(last, table, cited)) shown[shown.length - 1] = joined(whole, table);
    else shown.push({ ...table, marks: [table.citation] });
    last = table;
  }
  return shown;
}

function goesOn(before: AnswerTable, table: AnswerTable, cited: Map<number, Citation>): boolean {
  const [a, b] = [cited.get(before.citation), cited.get(table.citation)];
  if (!a || !b || !table.columns.length || before.columns.join("\n") !== table.columns.join("\n")) return false;
  if (a.document !== b.document || a.sha256 !== b.sha256 || a.section.join("\n") !== b.section.join("\n")) return false;
  const end = Math.max(...a.pages.map(({ page }) => page));
  return before.caption === table.caption && b.pages[0]?.page === end + 1;
}

const headerRows = (table: AnswerTable): number =>
  table.cells.length ? Math.max(0, Math.max(...table.cells.map((cell) => cell.r1)) + 1 - table.rows.length) : 0;

/** The second part below the first, without the header that it repeats. */
function joined(whole: ShownTable, part: AnswerTable): ShownTable {
  const head = headerRows(part);
  const down = whole.rows.length + headerRows(whole) - head;
  // A part without its grid would leave a hole in the other's.
  const gridded = whole.cells.length > 0 && part.cells.length > 0;
  const below = part.cells
    .filter((cell) => cell.r0 >= head)
    .map((cell) => ({ ...cell, r0: cell.r0 + down, r1: cell.r1 + down }));
  return {
    ...whole,
    rows: [...whole.rows, ...part.rows],
    cells: gridded ? [...whole.cells, ...below] : [],
    highlighted: [...whole.highlighted, ...part.highlighted.map(([r, c]): [number, number] => [r + whole.rows.length, c])],
    footnotes: [...new Set([...whole.footnotes, ...part.footnotes])],
    marks: [...new Set([...whole.marks, part.citation])],
  };
}
