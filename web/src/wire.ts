/** What the server sends, field for field as `src/pincite/types.py` writes it. */

/** `[x0, y0, x1, y1]` in points, origin bottom left, unrotated MediaBox. */
export type Box = readonly [number, number, number, number];
export type Standing = "citable" | "readable" | "rejected";
export type Outcome = "answered" | "escalated" | "refused";

export interface CitedPage {
  /** Sheet index from 1. */
  page: number;
  /** What is printed on the sheet. */
  label: string;
  boxes: Box[];
}

export interface Citation {
  n: number;
  document: string;
  source: string;
  title: string;
  revision: string;
  sha256: string;
  section: string[];
  pages: CitedPage[];
  quote: string;
  standing: Standing;
  retrieved_at: string;
  /** "" of a row of the parts catalogue. */
  url: string;
  /** Key of the row of the parts catalogue that is cited instead of a place in a document; answers of before have none. */
  row?: string;
}

/** Rows and columns from 0, inclusive. */
export interface Cell {
  r0: number;
  r1: number;
  c0: number;
  c1: number;
  text: string;
  header: boolean;
}

export interface AnswerTable {
  id: string;
  citation: number;
  columns: string[];
  rows: string[][];
  /** Row in `rows` and column of each cell the answer rests on. */
  highlighted: [number, number][];
  cells: Cell[];
  caption: string;
  /** As printed below it; a note may take back what a cell says. */
  footnotes: string[];
}

export interface Withheld {
  text: string;
  claim: string;
  verdict: "supported" | "weak" | "unsupported";
  reason: string;
}

export interface Step {
  tool: string;
  arguments: Record<string, unknown>;
  summary: string;
  milliseconds: number;
}

export interface PassageNote {
  id: string;
  document: string;
  source: string;
  revision: string;
  section: string[];
  pages: number[];
  kind: string;
  title: string;
}

export interface Answer {
  id: string;
  conversation: string;
  question: string;
  standalone_question: string;
  outcome: Outcome;
  reason?: string;
  markdown: string;
  citations: Citation[];
  tables: AnswerTable[];
  withheld: Withheld[];
  steps: Step[];
  model: string;
  release: string;
  milliseconds: { first_step: number | null; first_block: number | null; total: number };
}

export type AnswerEvent =
  | { event: "step"; data: Step }
  | { event: "passages"; data: { passages: PassageNote[] } }
  | { event: "block"; data: { markdown: string; citations: Citation[] } }
  | { event: "table"; data: AnswerTable }
  | { event: "withheld"; data: Withheld }
  | { event: "sources"; data: { citations: Citation[] } }
  | { event: "outcome"; data: Answer }
  | { event: "error"; data: { message: string; retry: boolean } };

export interface About {
  name: string;
  version: string;
  release: string | null;
  documents: number;
  chunks: number;
  model: string;
  notice: string;
  examples: string[];
  /** What the reader may do: "admin" uploads and indexes. */
  roles: string[];
}

export interface ConversationNote {
  id: string;
  title: string;
  updated: string;
  turns: number;
}

export interface Conversation {
  id: string;
  title: string;
  answers: Answer[];
  /** Questions without an answer: still running, stopped or broken off. */
  unfinished?: { id: string; question: string; asked_at: string; running: boolean }[];
}

export interface DocumentNote {
  document: string;
  source: string;
  title: string;
  revision: string;
  sha256: string;
  standing: Standing;
  reason: string;
  pages: number;
  language: string;
  /** ISO 8601 as far as the document says; "" when it does not, and so with its kind and summary. */
  date: string;
  kind: string;
  summary: string;
  tables: number;
  pages_not_text: { page: number; verdict: string }[];
  repaired: boolean;
}

/** Documents of the published release, or those of them that a search found. */
export interface Library {
  release: string;
  created: string;
  total: number;
  documents: DocumentNote[];
  /** Files that the run which made the release could not read. */
  failed: { source: string; reason: string }[];
}

/** What was found on one sheet. */
export interface PageNote {
  page: number;
  label: string;
  verdict: "text" | "ocr" | "empty" | "garbled" | "failed";
  reason: string;
  /** Of OCR, 0 to 1. */
  confidence: number;
  tables: number;
  /** Captions. */
  doubtful_tables: string[];
}

export interface SectionNote {
  path: string[];
  title: string;
  /** Sheets from 1. */
  pages: number[];
}
