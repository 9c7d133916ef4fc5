/**
 * Verified blocks (sentences, list items, headings, table rows) → one Markdown text.
 *
 * A block carries the white space that parts it from the one before it, and then the blocks behind each other are the
 * answer's `markdown`. One that carries none is set apart by what it is. The result for the first k blocks is what a
 * reader sees after k blocks, so it never holds half a construct: a table whose delimiter row has not arrived gets one,
 * emphasis that has not been closed is closed.
 */
export function joinBlocks(blocks: readonly string[]): string {
  let text = "";
  for (const block of blocks) {
    if (text && !/\s$/.test(text) && !/^\s/.test(block)) text += gap(text, block);
    text += block;
  }
  // Bullets that documents print and Markdown does not know. A dash stays: it may be a minus.
  return closeInline(completeTables(text.trim().replace(/^([ \t]*)[•‣][ \t]+/gm, "$1- ")));
}

type Kind = "none" | "heading" | "item" | "row" | "quote" | "text";

function kindOf(line: string): Kind {
  if (/^\s{0,3}#{1,6}\s/.test(line)) return "heading";
  if (/^\s*(?:[-*+]|\d{1,9}[.)])\s+\S/.test(line)) return "item";
  if (/^\s{0,3}\|/.test(line)) return "row";
  if (/^\s{0,3}>/.test(line)) return "quote";
  return line.trim() ? "text" : "none";
}

/** What parts a block without white space of its own from the text before it. */
function gap(text: string, block: string): string {
  const before = kindOf(text.slice(text.lastIndexOf("\n") + 1));
  const next = kindOf(block.split("\n", 1)[0] ?? "");
  if (next === "text" && (before === "text" || before === "item")) return " ";
  return before === next && next !== "heading" ? "\n" : "\n\n";
}

const isRow = (line: string): boolean => /^\s{0,3}\|/.test(line);
const isDelimiter = (line: string): boolean => /^\s{0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(line) && line.includes("-");

/** Cells of a Markdown row; `\|` is a bar inside a cell, and so is a bar between backticks that is escaped. */
function cellCount(row: string): number {
  const inner = row.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).length;
}

/**
 * Gives every run of table rows a header and a delimiter row that fit its first row.
 *
 * markdown-it reads a run of rows as a table only when the second line is a delimiter with as many cells as the first;
 * otherwise a reader would see raw bars.
 */
export function completeTables(text: string): string {
  const lines = text.split("\n");
  const out: string[] = [];
  let fenced = false;
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? "";
    if (/^\s{0,3}```/.test(line)) fenced = !fenced;
    if (fenced || !isRow(line) || (i > 0 && isRow(lines[i - 1] ?? ""))) {
      out.push(line);
      continue;
    }
    const count = cellCount(line);
    if (isDelimiter(line)) {
      // A delimiter without a header: an empty header keeps the rows below it a table.
      out.push(`|${"  |".repeat(count)}`, line);
      continue;
    }
    out.push(line);
    const next = lines[i + 1];
    if (next === undefined || !isDelimiter(next)) out.push(`|${" --- |".repeat(count)}`);
    else if (cellCount(next) !== count) lines[i + 1] = `|${" --- |".repeat(count)}`;
  }
  return out.join("\n");
}

/** Closes `**` and a backtick that the last paragraph opened: the sentence that closes them may still be on its way. */
function closeInline(text: string): string {
  const start = text.lastIndexOf("\n\n") + 1;
  const last = text.slice(start).replace(/\\[\s\S]/g, "");
  let tail = "";
  if ((last.match(/`/g)?.length ?? 0) % 2) tail += "`";
  const bold = last.replace(/`[^`]*(?:`|$)/g, "").match(/\*\*/g)?.length ?? 0;
  if (bold % 2 && !/\*\*\s*$/.test(last)) tail += "**";
  return text + tail;
}
