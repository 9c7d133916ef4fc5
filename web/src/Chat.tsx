import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icons.tsx";
import {
  about,
  ask,
  conversation,
  navigate,
  readDraft,
  sidebar,
  stop,
  toggleSidebar,
  trouble,
  turns,
  visit,
  wide,
  working,
  writeDraft,
} from "./state.ts";
import { language, say } from "./strings.ts";
import { TurnView } from "./Turn.tsx";

export function Chat(): JSX.Element {
  const all = turns.value;
  const scroller = useRef<HTMLDivElement>(null);
  const count = all.length;
  useEffect(() => {
    // The newest question goes to the top and its answer grows below it: nothing a reader reads is ever pushed away.
    const box = scroller.current;
    const named = location.hash ? document.getElementById(location.hash.slice(1)) : null;
    const turn = named ?? box?.querySelector<HTMLElement>(".turn:last-child");
    if (box && turn) box.scrollTop = turn.offsetTop;
  }, [count]);
  return (
    <>
      <Bar />
      <main>
      <div class="talk" ref={scroller}>
        {trouble.value ? (
          <p class="trouble" role="alert">
            <Icon name="warning" /> {trouble.value}
          </p>
        ) : count === 0 && !conversation.value ? (
          <Welcome />
        ) : (
          <h1 class="hidden">{say.headline}</h1>
        )}
        {all.map((turn) => (
          <TurnView key={turn.peek().key} turn={turn} />
        ))}
      </div>
      <Composer key={visit.value} />
      </main>
    </>
  );
}

/** The top of every view but the document's own page. */
export function Bar(): JSX.Element {
  return (
    <header class="bar">
      <button
        type="button"
        class="plain"
        aria-label={sidebar.value ? say.closeHistory : say.openHistory}
        title={sidebar.value ? say.closeHistory : say.openHistory}
        aria-expanded={sidebar.value}
        aria-controls="history"
        onClick={toggleSidebar}
      >
        <Icon name="menu" />
      </button>
      <a class="wordmark" href="/" onClick={go("/")}>
        Pincite<span class="hidden">: {say.newQuestion}</span>
      </a>
      <a class="plain" href="/library" aria-label={say.libraryLink} title={say.libraryLink} onClick={go("/library")}>
        <Icon name="books" />
      </a>
      <button type="button" class="plain" aria-label={say.newQuestion} title={say.newQuestion} onClick={go("/")}>
        <Icon name="plus" />
      </button>
    </header>
  );
}

/** Follows our own links without a reload; a click that wants a new tab is left alone. */
const go = (path: string) => (event: MouseEvent) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  navigate(path);
  document.getElementById("question")?.focus();
};

function Welcome(): JSX.Element {
  const known = about.value;
  return (
    <div class="welcome">
      <h1>{say.headline}</h1>
      {/* The notice is the operator's, in one language: a reader of another is told the same in theirs. */}
      {known && (
        <p class="notice">
          <strong>{language === "en" && known.notice ? known.notice : say.machine}</strong> {say.machineMore}
        </p>
      )}
      {known?.notice && language !== "en" && <p class="notice fine">{known.notice}</p>}
      {known && !known.release && <p class="trouble">{say.nothingIndexed}</p>}
      {known && known.examples.length > 0 && (
        <section aria-labelledby="examples">
          <h2 id="examples">{say.tryOne}</h2>
          <ul class="examples">
            {known.examples.map((example) => (
              <li key={example}>
                <button type="button" onClick={() => ask(example)}>
                  {example}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {known?.release && (
        <p class="fine">
          {say.library(known.documents)} · {say.release(known.release)} · {known.model}
        </p>
      )}
    </div>
  );
}

function Composer(): JSX.Element {
  const text = useSignal(readDraft());
  const field = useRef<HTMLTextAreaElement>(null);
  const busy = working.value;
  const value = text.value;
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + 2}px`;
  }, [value]);
  useEffect(() => {
    if (matchMedia("(hover: hover)").matches) field.current?.focus({ preventScroll: true });
  }, []);
  const send = () => {
    if (!text.peek().trim() || working.peek()) return;
    ask(text.peek());
    text.value = "";
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div class="composer-box">
        <label class="hidden" for="question">
          {say.question}
        </label>
        <textarea
          id="question"
          ref={field}
          rows={1}
          value={value}
          placeholder={wide.value ? say.placeholder : say.question}
          aria-describedby="question-hint"
          onInput={(event) => {
            text.value = event.currentTarget.value;
            writeDraft(text.peek());
          }}
          onKeyDown={(event) => {
            // While an input method composes, Enter chooses a character.
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        {busy ? (
          <button type="button" class="send stop" onClick={stop} aria-label={say.stop} title={say.stop}>
            <Icon name="stop" />
          </button>
        ) : (
          <button type="submit" class="send" disabled={!value.trim()} aria-label={say.send} title={say.send}>
            <Icon name="send" />
          </button>
        )}
      </div>
      <p class="fine" id="question-hint">
        {say.composerHint}
      </p>
    </form>
  );
}
