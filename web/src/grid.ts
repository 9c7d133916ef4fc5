import type { AnswerTable } from "./wire.ts";

export interface GridCell {
  text: string;
  rowSpan: number;
  colSpan: number;
  scope: "col" | "colgroup" | "row" | null;
  evidence: boolean;
}

export interface Grid {
  head: GridCell[][];
  body: GridCell[][];
}

/** The table as it is printed: merged cells once, header rows apart, the cells the answer rests on marked. */
export function gridOf(table: AnswerTable): Grid {
  if (!table.cells.length) return plainGrid(table);
  const height = Math.max(...table.cells.map((cell) => cell.r1)) + 1;
  // `rows` leaves the header rows out, `cells` does not.
  const headerRows = Math.max(0, height - table.rows.length);
  const grid: GridCell[][] = Array.from({ length: height }, () => []);
  const cells = [...table.cells].sort((a, b) => a.r0 - b.r0 || a.c0 - b.c0);
  for (const cell of cells) {
    const evidence = table.highlighted.some(
      ([row, column]) =>
        cell.r0 <= row + headerRows && row + headerRows <= cell.r1 && cell.c0 <= column && column <= cell.c1,
    );
    const inHead = cell.r0 < headerRows;
    grid[cell.r0]?.push({
      text: cell.text,
      // A cell that reaches from the header into the body would tear the table's two groups.
      rowSpan: (inHead ? Math.min(cell.r1, headerRows - 1) : cell.r1) - cell.r0 + 1,
      colSpan: cell.c1 - cell.c0 + 1,
      scope: inHead ? (cell.c1 > cell.c0 ? "colgroup" : "col") : cell.header ? "row" : null,
      evidence,
    });
  }
  return { head: grid.slice(0, headerRows), body: grid.slice(headerRows) };
}

function plainGrid(table: AnswerTable): Grid {
  const cell = (text: string, scope: GridCell["scope"], evidence: boolean): GridCell => ({
    text,
    rowSpan: 1,
    colSpan: 1,
    scope,
    evidence,
  });
  return {
    head: table.columns.length ? [table.columns.map((text) => cell(text, "col", false))] : [],
    body: table.rows.map((row, r) =>
      row.map((text, c) => cell(text, null, table.highlighted.some(([hr, hc]) => hr === r && hc === c))),
    ),
  };
}
