import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icons.tsx";
import {
  conversation,
  conversations,
  loadMoreConversations,
  moreConversations,
  navigate,
  removeConversation,
  retitle,
  search,
  searchConversations,
  sidebar,
} from "./state.ts";
import { language, say } from "./strings.ts";
import type { ConversationNote } from "./wire.ts";

export function History({ over }: { over: boolean }): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (over) field.current?.focus();
  }, [over]);
  const list = conversations.value;
  return (
    <nav
      id="history"
      class={over ? "history over" : "history"}
      aria-label={say.history}
      hidden={!sidebar.value}
      onKeyDown={(event) => {
        if (event.key === "Escape" && over) {
          sidebar.value = false;
          requestAnimationFrame(() => document.querySelector<HTMLElement>("[aria-controls=history]")?.focus());
        }
      }}
    >
      <div class="history-head">
        <label class="hidden" for="history-search">
          {say.searchHistory}
        </label>
        <input
          id="history-search"
          ref={field}
          type="search"
          placeholder={say.searchHistory}
          value={search.value}
          onInput={(event) => searchConversations(event.currentTarget.value)}
        />
        {over && (
          <button type="button" class="plain" aria-label={say.closeHistory} title={say.closeHistory} onClick={() => (sidebar.value = false)}>
            <Icon name="close" />
          </button>
        )}
      </div>
      {list?.length === 0 && <p class="fine">{search.value ? say.noMatch(search.value) : say.noHistory}</p>}
      {list && list.length > 0 && (
        <ul>
          {list.map((note) => (
            <Entry key={note.id} note={note} />
          ))}
        </ul>
      )}
      {moreConversations.value !== null && (
        <button type="button" class="small" onClick={() => void loadMoreConversations().catch(() => undefined)}>
          {say.showMore}
        </button>
      )}
    </nav>
  );
}

function Entry({ note }: { note: ConversationNote }): JSX.Element {
  const mode = useSignal<"" | "rename" | "remove">("");
  const title = useSignal(note.title);
  const failed = useSignal("");
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (mode.value) row.current?.querySelector<HTMLElement>("input, button")?.focus();
  }, [mode.value]);
  const back = () => {
    mode.value = "";
    requestAnimationFrame(() => row.current?.querySelector<HTMLElement>("a")?.focus());
  };
  const attempt = async (work: Promise<void>) => {
    failed.value = "";
    try {
      await work;
      if (row.current) back();
    } catch (error) {
      failed.value = error instanceof Error ? error.message : String(error);
    }
  };
  const escape = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    back();
  };
  const name = note.title || say.untitled;
  const when = new Date(note.updated);
  return (
    <li ref={row} class={note.id === conversation.value ? "entry current" : "entry"}>
      {mode.value === "rename" ? (
        <form
          onKeyDown={escape}
          onSubmit={(event) => {
            event.preventDefault();
            if (title.value.trim()) void attempt(retitle(note.id, title.value.trim()));
          }}
        >
          <input aria-label={say.title} value={title.value} maxLength={200} onInput={(event) => (title.value = event.currentTarget.value)} />
          <button type="submit" class="small">
            {say.save}
          </button>
          <button type="button" class="small" onClick={back}>
            {say.cancel}
          </button>
        </form>
      ) : mode.value === "remove" ? (
        <div class="confirm" role="group" aria-label={say.removeOf(name)} onKeyDown={escape}>
          <span>{say.removeSure}</span>
          <button type="button" class="small danger" onClick={() => void attempt(removeConversation(note.id))}>
            {say.remove}
          </button>
          <button type="button" class="small" onClick={back}>
            {say.cancel}
          </button>
        </div>
      ) : (
        <>
          <a
            href={`/c/${encodeURIComponent(note.id)}`}
            aria-current={note.id === conversation.value ? "page" : undefined}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              navigate(`/c/${encodeURIComponent(note.id)}`);
            }}
          >
            <span class="entry-title">{name}</span>
            {!Number.isNaN(when.getTime()) && (
              <time dateTime={note.updated}>{when.toLocaleDateString(language, { day: "numeric", month: "short" })}</time>
            )}
          </a>
          <span class="entry-tools">
            <button type="button" class="plain" aria-label={say.renameOf(name)} title={say.rename} onClick={() => (mode.value = "rename")}>
              <Icon name="pen" />
            </button>
            <button type="button" class="plain" aria-label={say.removeOf(name)} title={say.remove} onClick={() => (mode.value = "remove")}>
              <Icon name="bin" />
            </button>
          </span>
        </>
      )}
      {failed.value && (
        <p class="fine" role="alert">
          {failed.value}
        </p>
      )}
    </li>
  );
}
