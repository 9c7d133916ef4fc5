import { plainText } from "./markdown.ts";
import { language, say } from "./strings.ts";
import type { Answer, Citation } from "./wire.ts";

/** "page 4" or "pages 4, 5"; "" when the citation has no page. */
export function pagesOf(citation: Citation): string {
  const labels = citation.pages.map((page) => page.label || String(page.page));
  if (!labels.length) return "";
  return labels.length === 1 ? say.page(labels[0] ?? "") : say.pages(labels.join(", "));
}

/** "row parts id=7, read 1 December 2026, 12:30"; "" when no row of the catalogue is cited. */
export function rowOf(citation: Citation): string {
  if (!citation.row) return "";
  const read = new Date(citation.retrieved_at);
  const when = Number.isNaN(read.getTime()) ? citation.retrieved_at : read.toLocaleString(language, { dateStyle: "long", timeStyle: "short" });
  return say.row(citation.row, when);
}

export const sectionOf = (citation: Citation): string => citation.section.join(" › ");

/** "NIST SP 800-63B, revision 3, 5.1 Authenticators › 5.1.1 Secrets, page 13" */
export function placeOf(citation: Citation): string {
  const revision = citation.revision ? say.revision(citation.revision) : "";
  return [citation.title || citation.source, revision, sectionOf(citation), pagesOf(citation), rowOf(citation)].filter(Boolean).join(", ");
}

/** The answer as text for a mail: its marks as [n], and what they stand for below. */
export function copyText(answer: Pick<Answer, "markdown" | "citations">, origin: string): string {
  const sources = answer.citations.map((citation) => {
    const quote = citation.quote.replace(/\s+/g, " ").trim();
    const address = citation.row ? "" : `\n    ${new URL(citation.url, origin).href}`;
    return `[${citation.n}] ${placeOf(citation)}${quote ? `\n    “${quote}”` : ""}${address}`;
  });
  return [plainText(answer.markdown), sources.length ? `${say.sources}\n${sources.join("\n")}` : ""].filter(Boolean).join("\n\n");
}
