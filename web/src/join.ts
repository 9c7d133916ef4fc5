/**
 * Verified blocks (sentences, list items, headings, table rows) → one Markdown text.
 *
 * The result for the first k blocks is what a reader sees after k blocks, so it must never hold half a construct:
 * a table whose delimiter row has not arrived gets one, emphasis that has not been closed is closed.
 */
export function joinBlocks(blocks: readonly string[]): string {
  let text = "";
  let before: Kind = "none";
  let trailing = 0;
  for (const block of blocks) {
    const leading = newlines(/^\s*/.exec(block)?.[0] ?? "");
    const body = block.replace(/^[^\S\n]*\n\s*\n?(?=\S)/, "").replace(/^\n+/, "").trimEnd();
    if (!body.trim()) {
      trailing = Math.max(trailing, newlines(block));
      continue;
    }
    const lines = body.split("\n");
    const first = kindOf(lines[0] ?? "");
    const indented = /^\s{2,}/.test(body);
    text += separator(before, first, trailing + leading, indented);
    // A stray blank before a sentence is the block's, not the line's.
    text += indented && before === "item" ? body : first === "text" ? body.trimStart() : body;
    const last = kindOf(lines.at(-1) ?? "");
    // The second line of a list item is still that item.
    before = last === "text" && lines.length > 1 && lines.some((line) => kindOf(line) === "item") ? "item" : last;
    if (last === "text" && before === "text" && first === "item") before = "item";
    if (first === "text" && before === "text" && wasItem(text)) before = "item";
    trailing = newlines(/\s*$/.exec(block)?.[0] ?? "");
  }
  return closeInline(completeTables(text));
}

type Kind = "none" | "heading" | "item" | "row" | "quote" | "text";

function kindOf(line: string): Kind {
  if (/^\s{0,3}#{1,6}\s/.test(line)) return "heading";
  if (/^\s*(?:[-*+]|\d{1,9}[.)])\s+\S/.test(line)) return "item";
  if (/^\s{0,3}\|/.test(line)) return "row";
  if (/^\s{0,3}>/.test(line)) return "quote";
  return line.trim() ? "text" : "none";
}

/** Whether the last paragraph of the text is a list item with sentences behind it. */
function wasItem(text: string): boolean {
  const lines = text.split("\n");
  for (let i = lines.length - 1; i >= 0; i -= 1) {
    const line = lines[i] ?? "";
    if (!line.trim()) return false;
    if (kindOf(line) === "item") return true;
    if (kindOf(line) !== "text") return false;
  }
  return false;
}

function separator(before: Kind, next: Kind, explicit: number, indented: boolean): string {
  if (before === "none") return "";
  if (before === next && (next === "item" || next === "row" || next === "quote")) return "\n";
  if (next !== "text" || (before !== "text" && before !== "item")) return "\n\n";
  if (before === "item") return explicit === 0 ? " " : indented ? "\n" : "\n\n";
  if (explicit === 0) return " ";
  return explicit === 1 ? "\n" : "\n\n";
}

const newlines = (text: string): number => text.split("\n").length - 1;

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
