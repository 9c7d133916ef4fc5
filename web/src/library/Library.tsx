import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import * as api from "../api.ts";
import { forgetRevisions } from "../standing.ts";
import { about, navigate, refreshAbout } from "../state.ts";
import { language, say } from "../strings.ts";
import type { DocumentNote, Library as Listing } from "../wire.ts";
import { AddDocuments } from "./AddDocuments.tsx";
import { DocumentView } from "./DocumentView.tsx";
import "./library.css";
import { words } from "./words.ts";

const SCREEN = 100;

export function Library({ document }: { document: string | null }): JSX.Element {
  return <main class="library">{document === null ? <Documents /> : <DocumentView key={document} document={document} />}</main>;
}

function Documents(): JSX.Element {
  const listing = useSignal<Listing | null>(null);
  const problem = useSignal("");
  const search = useSignal("");
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const load = async (offset = 0) => {
    const asked = search.peek();
    try {
      const found = await api.fetchLibrary(asked, offset, SCREEN);
      if (search.peek() !== asked) return;
      const before = offset ? (listing.peek()?.documents ?? []) : [];
      listing.value = { ...found, documents: [...before, ...found.documents] };
      problem.value = "";
    } catch (error) {
      problem.value = error instanceof api.ServerError ? error.message : say.unreachable;
    }
  };
  useEffect(() => {
    window.document.title = `${say.libraryLink} · Pincite`;
    void load();
    return () => clearTimeout(waiting.current);
  }, []);
  const now = listing.value;
  return (
    <>
      <h1>{say.libraryLink}</h1>
      {problem.value && (
        <p class="trouble" role="alert">
          {problem.value}
        </p>
      )}
      {now && (
        <p class="fine">
          {words.documents(now.total)} · {words.release(now.release, new Date(now.created).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" }))}
        </p>
      )}
      {about.value?.roles.includes("admin") && (
        <AddDocuments
          onDone={() => {
            forgetRevisions();
            refreshAbout();
            void load();
          }}
        />
      )}
      {now && now.failed.length > 0 && (
        <section aria-labelledby="failed-title">
          <h2 id="failed-title">{words.failures}</h2>
          <ul class="run">
            {now.failed.map(({ source, reason }) => (
              <li key={source}>
                <strong>{source}</strong> {reason}
              </li>
            ))}
          </ul>
        </section>
      )}
      <input
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={search.value}
        onInput={(event) => {
          search.value = event.currentTarget.value;
          clearTimeout(waiting.current);
          waiting.current = setTimeout(() => void load(), 150);
        }}
      />
      {now?.documents.length === 0 && <p class="fine">{words.noMatch}</p>}
      {now && now.documents.length > 0 && (
        <ul class="shelf">
          {now.documents.map((each) => (
            <Entry key={`${each.document} ${each.sha256}`} note={each} />
          ))}
        </ul>
      )}
      {now && now.documents.length < now.total && (
        <button type="button" class="small" onClick={() => void load(now.documents.length)}>
          {words.more}
        </button>
      )}
    </>
  );
}

function Entry({ note }: { note: DocumentNote }): JSX.Element {
  const address = `/library/${encodeURIComponent(note.document)}`;
  return (
    <li class="shelf-entry">
      <a
        href={address}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          navigate(address);
        }}
      >
        {note.title || note.source}
      </a>
      <StandingBadge note={note} />
      <p class="fine">{[note.title && note.source, factsOf(note)].filter(Boolean).join(" · ")}</p>
      {note.pages_not_text.length > 0 && <p class="fine warn">{words.withoutText(note.pages_not_text.length)}</p>}
    </li>
  );
}

/** "rulebook · revision 3 · 9 pages · 2026-01-15" */
export const factsOf = (note: DocumentNote): string =>
  [note.kind, note.revision && words.revision(note.revision), words.pages(note.pages), note.date].filter(Boolean).join(" · ");

export function StandingBadge({ note }: { note: DocumentNote }): JSX.Element {
  const text = note.standing === "citable" ? words.citable : note.standing === "readable" ? words.readable : words.rejected;
  return (
    <span class={note.standing === "citable" ? "badge good" : "badge"} title={note.reason || undefined}>
      {text}
    </span>
  );
}
