import { joinContinued, type ShownTable } from "./continued.ts";
import { joinBlocks } from "./join.ts";
import type { Group } from "./markdown.ts";
import { groups } from "./markdown.ts";
import type { Answer, AnswerEvent, AnswerTable, Citation, Outcome, PassageNote, Step, Withheld } from "./wire.ts";

/** What a reader sees of one answer so far. */
export interface AnswerView {
  steps: Step[];
  passages: PassageNote[];
  blocks: string[];
  citations: Citation[];
  tables: AnswerTable[];
  withheld: Withheld[];
  /** The whole answer, once it is there. */
  answer: Answer | null;
  error: { message: string; retry: boolean } | null;
}

export const emptyView = (): AnswerView => ({
  steps: [],
  passages: [],
  blocks: [],
  citations: [],
  tables: [],
  withheld: [],
  answer: null,
  error: null,
});

/** The view after one more event. Only ever adds. */
export function withEvent(view: AnswerView, { event, data }: AnswerEvent): AnswerView {
  switch (event) {
    case "step":
      return { ...view, steps: [...view.steps, data] };
    case "passages":
      return { ...view, passages: [...view.passages, ...data.passages] };
    case "block":
      return { ...view, blocks: [...view.blocks, data.markdown], citations: addCitations(view.citations, data.citations) };
    case "table":
      return { ...view, tables: [...view.tables, data] };
    case "withheld":
      return { ...view, withheld: [...view.withheld, data] };
    case "sources":
      return { ...view, citations: addCitations(view.citations, data.citations) };
    case "outcome":
      return viewOf(data, view);
    case "error":
      return { ...view, error: data };
  }
}

/** The view of an answer that is finished, streamed or stored: both show the same. */
export function viewOf(answer: Answer, streamed: AnswerView = emptyView()): AnswerView {
  return {
    steps: answer.steps.length ? answer.steps : streamed.steps,
    passages: streamed.passages,
    blocks: [answer.markdown],
    citations: answer.citations,
    tables: answer.tables,
    withheld: answer.withheld,
    answer,
    error: null,
  };
}

function addCitations(known: Citation[], more: Citation[]): Citation[] {
  const byNumber = new Map(known.map((citation) => [citation.n, citation]));
  for (const citation of more) byNumber.set(citation.n, citation);
  return [...byNumber.values()].sort((a, b) => a.n - b.n);
}

export type Piece = { kind: "group"; group: Group } | { kind: "table"; table: ShownTable };

/**
 * The answer's text in pieces. The piece that only names a source table gives way to the table; a table that is named
 * nowhere stands behind the first piece that cites it, and an uncited one at the end.
 */
export function pieces(view: Pick<AnswerView, "blocks" | "tables" | "citations">): Piece[] {
  const parts = groups(joinBlocks(view.blocks));
  const tables = joinContinued(view.tables, view.citations);
  const waiting = tables.filter((table) => !parts.some((group) => names(group, table)));
  const placed = new Set<ShownTable>();
  const found: Piece[] = [];
  for (const group of parts) {
    const table = tables.find((each) => names(group, each));
    if (!table) found.push({ kind: "group", group });
    // The parts of a table that goes on over the sheet are named each, and shown once.
    else if (!placed.has(table)) found.push({ kind: "table", table });
    if (table) placed.add(table);
    for (const table of waiting.filter((each) => group.marks.includes(each.citation))) {
      found.push({ kind: "table", table });
      waiting.splice(waiting.indexOf(table), 1);
    }
  }
  return [...found, ...waiting.map((table): Piece => ({ kind: "table", table }))];
}

function names(group: Group, table: ShownTable): boolean {
  const [mark] = group.marks;
  return group.marks.length === 1 && mark !== undefined && table.marks.includes(mark) && group.text === table.caption;
}

export type OutcomeLine = Outcome | "broken" | "stopped";
