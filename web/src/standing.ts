import { type Signal, signal } from "@preact/signals";
import { fetchRevisions } from "./api.ts";
import type { Citation, DocumentNote, Standing } from "./wire.ts";

/** The revisions of a document in the published release, which may hold none; null while that is not known. */
export type Revisions = DocumentNote[] | null;

/** How a cited revision stands today; an answer itself keeps what was true when it was given. */
export type Today =
  | { kind: "citable" }
  | { kind: "superseded"; by: DocumentNote }
  | { kind: "standing"; standing: Exclude<Standing, "citable"> }
  | { kind: "gone" };

export function today(citation: Pick<Citation, "sha256" | "standing">, revisions: Revisions): Today {
  const cited: Today = citation.standing === "citable" ? { kind: "citable" } : { kind: "standing", standing: citation.standing };
  if (revisions === null) return cited;
  const own = revisions.find(({ sha256 }) => sha256 === citation.sha256);
  const standing = own?.standing;
  if (standing === "citable") return cited;
  const by = revisions.find((each) => each.standing === "citable");
  if (by) return { kind: "superseded", by };
  return standing ? { kind: "standing", standing } : { kind: "gone" };
}

let known = new Map<string, Signal<Revisions>>();

/** Asked once for each document, until `forgetRevisions`. */
export function revisionsOf(document: string): Signal<Revisions> {
  let revisions = known.get(document);
  if (!revisions) {
    const asked = signal<Revisions>(null);
    revisions = asked;
    known.set(document, asked);
    fetchRevisions(document).then(
      (found) => (asked.value = found),
      () => undefined, // It stays unknown: the card says what was true when the answer was given.
    );
  }
  return revisions;
}

/** After this a newer release is seen. */
export function forgetRevisions(): void {
  known = new Map();
}
