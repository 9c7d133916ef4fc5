import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { pagesOf, rowOf, sectionOf } from "./cite.ts";
import { ownAddress } from "./markdown.ts";
import { revisionsOf, today } from "./standing.ts";
import { openCitation } from "./state.ts";
import { say } from "./strings.ts";
import type { Citation } from "./wire.ts";

/** One card for each revision that is cited, with its places in it. */
export function Sources({ citations }: { citations: Citation[] }): JSX.Element {
  const cards = [...Map.groupBy(citations, ({ document, sha256 }) => `${document} ${sha256}`).values()];
  return (
    <div class="sources">
      <h3>{say.sources}</h3>
      <ol>
        {cards.map((places) => (
          <SourceCard key={places[0]?.n} places={places} all={citations} />
        ))}
      </ol>
    </div>
  );
}

function SourceCard({ places, all }: { places: Citation[]; all: Citation[] }): JSX.Element | null {
  const first = places[0];
  if (!first) return null;
  return (
    <li class="card">
      <p class="card-title">
        <strong>{first.title || first.source}</strong>
        <span class="fine">{first.revision && say.revision(first.revision)}</span>
        <Badge citation={places.find(({ standing }) => standing !== "citable") ?? first} />
      </p>
      <ul>
        {places.map((citation) => (
          <Place key={citation.n} citation={citation} all={all} />
        ))}
      </ul>
    </li>
  );
}

function Place({ citation, all }: { citation: Citation; all: Citation[] }): JSX.Element {
  const link = useRef<HTMLAnchorElement>(null);
  const open = (event: MouseEvent) => {
    // The link keeps its address for a new tab; selecting a quotation is not a click.
    if (event.ctrlKey || event.metaKey || event.shiftKey || getSelection()?.toString()) return;
    event.preventDefault();
    event.stopPropagation();
    openCitation(all, citation.n, link.current);
  };
  const where = [sectionOf(citation), pagesOf(citation), rowOf(citation)].filter(Boolean).join(" · ");
  if (citation.row) {
    return (
      <li class="place row">
        <span class="number">{citation.n}</span>
        <div class="card-text">
          {where}
          {citation.quote && <blockquote>{citation.quote}</blockquote>}
        </div>
      </li>
    );
  }
  return (
    <li class="place" onClick={open}>
      <span class="number">{citation.n}</span>
      <div class="card-text">
        <a ref={link} href={ownAddress(citation.url)} title={say.openSource(citation.n)} onClick={open}>
          {where || citation.source}
        </a>
        {citation.quote && <blockquote>{citation.quote}</blockquote>}
      </div>
    </li>
  );
}

/** What a reader must know of a cited revision before relying on it; nothing when it is the one to rely on. */
export function Badge({ citation }: { citation: Citation }): JSX.Element | null {
  if (citation.row) return null;
  const now = today(citation, revisionsOf(citation.document).value);
  if (now.kind === "citable") return null;
  const text =
    now.kind === "superseded"
      ? say.supersededBy(now.by.revision)
      : now.kind === "gone"
        ? say.gone
        : now.standing === "readable"
          ? say.readable
          : say.rejected;
  return (
    <span class="badge" title={now.kind === "gone" ? say.goneMore : say.superseded}>
      {text}
    </span>
  );
}
