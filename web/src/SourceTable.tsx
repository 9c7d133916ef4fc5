import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { ShownTable } from "./continued.ts";
import { type GridCell, gridOf } from "./grid.ts";
import { say } from "./strings.ts";

/** A table as the source prints it; the cells the answer rests on are marked, and in view. */
export function SourceTable({ table, mark }: { table: ShownTable; mark: (n: number) => JSX.Element }): JSX.Element {
  const grid = useMemo(() => gridOf(table), [table]);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = frame.current;
    const first = box?.querySelector<HTMLElement>(".evidence");
    if (!box || !first) return;
    // Only inside the frame: the page itself stays where the reader is.
    const head = box.querySelector("thead")?.offsetHeight ?? 0;
    if (first.offsetTop + first.offsetHeight > box.clientHeight) box.scrollTop = first.offsetTop - head - 40;
    if (first.offsetLeft + first.offsetWidth > box.clientWidth) box.scrollLeft = first.offsetLeft - 80;
  }, [table.id]);
  const label = table.caption || say.tableFrom(table.citation);
  return (
    <figure class="source-table">
      <div class="scroll tall" ref={frame} tabIndex={0} role="group" aria-label={label}>
        <table>
          {grid.head.length > 0 && (
            <thead>
              {grid.head.map((row, index) => (
                <tr key={index}>{row.map(cellNode)}</tr>
              ))}
            </thead>
          )}
          <tbody>
            {grid.body.map((row, index) => (
              <tr key={index}>{row.map(cellNode)}</tr>
            ))}
          </tbody>
        </table>
      </div>
      {table.footnotes.map((note) => (
        <p class="footnote" key={note}>
          {note}
        </p>
      ))}
      <figcaption>
        {label} {table.marks.map(mark)}
      </figcaption>
    </figure>
  );
}

function cellNode(cell: GridCell, key: number): JSX.Element {
  const text = cell.evidence ? (
    <mark>
      {cell.text}
      <span class="hidden"> ({say.evidence})</span>
    </mark>
  ) : (
    cell.text
  );
  const place = [cell.evidence && "evidence", cell.along && "along", cell.right && "right", cell.bottom && "bottom"].filter(Boolean).join(" ");
  const span = {
    ...(cell.rowSpan > 1 ? { rowSpan: cell.rowSpan } : {}),
    ...(cell.colSpan > 1 ? { colSpan: cell.colSpan } : {}),
    ...(place ? { class: place } : {}),
  };
  return cell.scope ? (
    <th key={key} scope={cell.scope} {...span}>
      {text}
    </th>
  ) : (
    <td key={key} {...span}>
      {text}
    </td>
  );
}
