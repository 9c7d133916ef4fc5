import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import * as api from "../api.ts";
import { Icon } from "../icons.tsx";
import { navigate, openCitation } from "../state.ts";
import { say } from "../strings.ts";
import { type SectionTree, treeOf } from "../tree.ts";
import type { Citation, DocumentNote, PageNote } from "../wire.ts";
import { factsOf, StandingBadge } from "./Library.tsx";
import { words } from "./words.ts";

/** One document: its revisions, its sections as a tree, and what was found on its pages. */
export function DocumentView({ document }: { document: string }): JSX.Element {
  const revisions = useSignal<DocumentNote[] | null>(null);
  const sections = useSignal<SectionTree[] | null>(null);
  const pages = useSignal<PageNote[] | null>(null);
  const problem = useSignal("");
  useEffect(() => {
    const load = async () => {
      const found = await api.fetchRevisions(document);
      revisions.value = found;
      const first = found[0];
      if (!first) return;
      window.document.title = `${first.title || first.source} · Pincite`;
      // Passages made elsewhere have no file, and so no pages to tell of.
      const [tree, seen] = await Promise.all([
        api.fetchSections(document),
        first.source.endsWith(".jsonl") ? [] : api.fetchPages(document, first.sha256),
      ]);
      sections.value = treeOf(tree);
      pages.value = seen;
    };
    load().catch((error: unknown) => {
      problem.value = error instanceof api.ServerError ? error.message : say.unreachable;
    });
  }, []);
  const all = revisions.value;
  const first = all?.[0];
  const labelOf = (sheet: number): string => pages.value?.[sheet - 1]?.label || String(sheet);
  const open = (note: DocumentNote, sheet: number, from: HTMLElement) => openCitation([placeIn(note, sheet, labelOf(sheet))], 1, from);
  return (
    <>
      <a
        class="back"
        href="/library"
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          navigate("/library");
        }}
      >
        <Icon name="previous" /> {words.back}
      </a>
      {problem.value && (
        <p class="trouble" role="alert">
          {problem.value}
        </p>
      )}
      {all?.length === 0 && <p class="trouble">{words.gone}</p>}
      {all && first && (
        <>
          <h1>{first.title || first.source}</h1>
          {first.summary && <p class="notice">{first.summary}</p>}
          <h2>{words.revisions}</h2>
          <ul class="shelf">
            {all.map((note) => (
              <li class="shelf-entry" key={note.sha256}>
                <span>{note.source}</span>
                <StandingBadge note={note} />
                <p class="fine">
                  {factsOf(note)}
                  {note.reason && ` · ${note.reason}`}
                </p>
                {note.repaired && <p class="fine warn">{words.repaired}</p>}
                <button type="button" class="small" aria-label={`${words.open}: ${note.source}`} onClick={(event) => open(note, 1, event.currentTarget)}>
                  {words.open}
                </button>
              </li>
            ))}
          </ul>
          <h2>{words.sections}</h2>
          {sections.value === null ? (
            <p class="fine">{say.loading}</p>
          ) : sections.value.length === 0 ? (
            <p class="fine">{words.noSections}</p>
          ) : (
            <Sections sections={sections.value} depth={1} labelOf={labelOf} onOpen={(sheet, from) => open(first, sheet, from)} />
          )}
          <h2>{words.found}</h2>
          {pages.value && <Pages pages={pages.value} onOpen={(sheet, from) => open(first, sheet, from)} />}
        </>
      )}
    </>
  );
}

function placeIn(note: DocumentNote, sheet: number, label: string): Citation {
  const { document, source, title, revision, sha256, standing } = note;
  const url = `/view/${encodeURIComponent(document)}/${sha256}?page=${sheet}`;
  const pages = [{ page: sheet, label, boxes: [] }];
  return { n: 1, document, source, title, revision, sha256, section: [], pages, quote: "", standing, retrieved_at: "", url };
}

type Open = (sheet: number, from: HTMLElement) => void;

interface SectionsProps {
  sections: SectionTree[];
  depth: number;
  labelOf: (sheet: number) => string;
  onOpen: Open;
}

function Sections({ sections, ...rest }: SectionsProps): JSX.Element {
  return (
    <ul class="tree">
      {sections.map((section) => (
        <Section key={section.path.join("\n")} section={section} {...rest} />
      ))}
    </ul>
  );
}

function Section({ section, depth, labelOf, onOpen }: { section: SectionTree } & Omit<SectionsProps, "sections">): JSX.Element {
  const shown = useSignal(depth < 2);
  const { title, sheet, inside } = section;
  return (
    <li>
      <div class="tree-line">
        {inside.length > 0 && (
          <button type="button" class="plain" aria-label={words.expand(title)} aria-expanded={shown.value} onClick={() => (shown.value = !shown.value)}>
            <Icon name={shown.value ? "opened" : "next"} />
          </button>
        )}
        {sheet === null ? (
          <span>{title}</span>
        ) : (
          <button type="button" class="link" onClick={(event) => onOpen(sheet, event.currentTarget)}>
            {title} <span class="fine">{words.page(labelOf(sheet))}</span>
          </button>
        )}
      </div>
      {inside.length > 0 && shown.value && <Sections sections={inside} depth={depth + 1} labelOf={labelOf} onOpen={onOpen} />}
    </li>
  );
}

/** Only the pages that a reader must know something of. */
function Pages({ pages, onOpen }: { pages: PageNote[]; onOpen: Open }): JSX.Element {
  const notable = pages.filter(({ verdict, doubtful_tables }) => verdict !== "text" || doubtful_tables.length > 0);
  if (!notable.length) return <p class="fine">{words.allText}</p>;
  return (
    <ul class="run">
      {notable.map(({ page, label, verdict, reason, doubtful_tables }) => {
        const said = [verdict !== "text" && (words.verdicts[verdict] ?? verdict), ...doubtful_tables.map(words.doubtful)];
        return (
          <li key={page}>
            <button type="button" class="link" onClick={(event) => onOpen(page, event.currentTarget)}>
              {words.page(label || String(page))}
            </button>{" "}
            {said.filter(Boolean).join(" · ")} <span class="fine">{reason}</span>
          </li>
        );
      })}
    </ul>
  );
}
