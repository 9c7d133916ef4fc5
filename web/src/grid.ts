import type { AnswerTable } from "./wire.ts";

export interface GridCell {
  text: string;
  rowSpan: number;
  colSpan: number;
  scope: "col" | "colgroup" | "row" | null;
  evidence: boolean;
  /** In a row, or below the name of a column, of evidence: where a reader looks to see what the value is of. */
  along: boolean;
  /** At the table's right or bottom edge, where the frame has the line. */
  right: boolean;
  bottom: boolean;
}

export interface Grid {
  head: GridCell[][];
  body: GridCell[][];
}

/** The table as it is printed: merged cells once, header rows apart, the cells the answer rests on marked. */
export function gridOf(table: AnswerTable): Grid {
  if (!table.cells.length) return plainGrid(table);
  const height = Math.max(...table.cells.map((cell) => cell.r1)) + 1;
  const width = Math.max(...table.cells.map((cell) => cell.c1)) + 1;
  // `rows` leaves the header rows out, `cells` does not.
  const headerRows = Math.max(0, height - table.rows.length);
  const grid: GridCell[][] = Array.from({ length: height }, () => []);
  const along = alongOf(table);
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
      along: !evidence && along(cell.r0 - headerRows, cell.r1 - headerRows, cell.c0, cell.c1),
      right: cell.c1 === width - 1,
      bottom: cell.r1 === height - 1,
    });
  }
  return { head: grid.slice(0, headerRows), body: grid.slice(headerRows) };
}

/** Whether a cell, rows counted as in `rows`, lies in a row or column of evidence. The first column names the rows. */
function alongOf(table: AnswerTable): (r0: number, r1: number, c0: number, c1: number) => boolean {
  const rows = table.highlighted.map(([row]) => row);
  const columns = table.highlighted.map(([, column]) => column).filter((column) => column > 0);
  return (r0, r1, c0, c1) => rows.some((row) => r0 <= row && row <= r1) || columns.some((column) => c0 <= column && column <= c1);
}

function plainGrid(table: AnswerTable): Grid {
  const along = alongOf(table);
  const cells = (texts: string[], row: number | null): GridCell[] =>
    texts.map((text, column) => ({
      text,
      rowSpan: 1,
      colSpan: 1,
      scope: row === null ? "col" : null,
      evidence: table.highlighted.some(([r, c]) => r === row && c === column),
      along: !table.highlighted.some(([r, c]) => r === row && c === column) && along(row ?? -1, row ?? -1, column, column),
      right: column === texts.length - 1,
      bottom: row === table.rows.length - 1,
    }));
  return {
    head: table.columns.length ? [cells(table.columns, null)] : [],
    body: table.rows.map((texts, row) => cells(texts, row)),
  };
}
