import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { pieces } from "./answer.ts";
import { sendFeedback } from "./api.ts";
import { copyText, pagesOf, placeOf, sectionOf } from "./cite.ts";
import { Icon, type IconName } from "./icons.tsx";
import { ownAddress, toNodes } from "./markdown.ts";
import { SourceTable } from "./SourceTable.tsx";
import { askAgain, openCitation, outcomeText, type Turn, working } from "./state.ts";
import { language, say } from "./strings.ts";
import type { Answer, Citation } from "./wire.ts";

export function TurnView({ turn }: { turn: Signal<Turn> }): JSX.Element {
  const { question, view, state } = turn.value;
  const shown = useComputed(() => pieces(turn.value.view));
  return (
    <article class="turn" aria-busy={state === "working"}>
      <Question text={question} />
      <div class="answer" aria-label={say.answerLabel} role="group">
        <Progress turn={turn.value} />
        <div class="prose">
          {shown.value.map((piece, index) =>
            piece.kind === "table" ? (
              <SourceTable key={`table ${piece.table.id}`} table={piece.table} mark={<Mark n={piece.table.citation} citations={view.citations} />} />
            ) : (
              <Prose key={index} html={piece.group.html} citations={view.citations} />
            ),
          )}
        </div>
        <WithheldList turn={turn.value} />
        <OutcomeLine turn={turn} />
        {state !== "working" && view.citations.length > 0 && <Sources citations={view.citations} />}
        {view.answer && state === "done" && <Actions answer={view.answer} turn={turn} />}
      </div>
    </article>
  );
}

function Question({ text }: { text: string }): JSX.Element {
  const long = text.length > 420 || text.split("\n").length > 7;
  const open = useSignal(false);
  return (
    <div class="question">
      <h2 class={long && !open.value ? "clamped" : ""}>
        <span class="hidden">{say.you}: </span>
        {text}
      </h2>
      {long && (
        <button type="button" class="link" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
          {open.value ? say.showLess : say.showAll}
        </button>
      )}
    </div>
  );
}

/** One line while it works, so that nothing below it jumps; every step on demand. */
function Progress({ turn }: { turn: Turn }): JSX.Element | null {
  const { steps, passages } = turn.view;
  const busy = turn.state === "working";
  const seconds = useSignal(0);
  useEffect(() => {
    if (!busy) return undefined;
    const timer = setInterval(() => {
      seconds.value = Math.floor((Date.now() - turn.started) / 1000);
    }, 1000);
    return () => clearInterval(timer);
  }, [busy, turn.started]);
  if (!busy && steps.length === 0) return null;
  const titles = [...new Set(passages.map((passage) => passage.title || passage.source))];
  const some = titles.slice(0, 3).join(", ");
  const reading = titles.length > 3 ? `${some}, ${say.andMore(titles.length - 3)}` : some;
  const total = (turn.view.answer?.milliseconds.total ?? Date.now() - turn.started) / 1000;
  const now = turn.reconnecting ? say.reconnecting : (steps.at(-1)?.summary ?? say.working);
  return (
    <details class={busy ? "steps busy" : "steps"}>
      <summary>
        <span class="now">{busy ? now : say.steps(steps.length, total.toLocaleString(language, { maximumFractionDigits: 1 }))}</span>
        {busy && seconds.value >= 3 && (
          <span class="seconds" aria-hidden="true">
            {seconds.value} s
          </span>
        )}
      </summary>
      <ol>
        {steps.map((step, index) => (
          <li key={index}>
            {step.summary}
            <span class="seconds">{step.milliseconds.toLocaleString(language)} ms</span>
          </li>
        ))}
        {reading && <li>{say.reading(reading)}</li>}
      </ol>
    </details>
  );
}

function Prose({ html, citations }: { html: string; citations: Citation[] }): JSX.Element {
  const nodes = useMemo(() => toNodes(html, (n, key) => <Mark key={`mark ${key}`} n={n} citations={citations} />), [html, citations]);
  return <>{nodes}</>;
}

export function Mark({ n, citations }: { n: number; citations: Citation[] }): JSX.Element {
  const citation = citations.find((each) => each.n === n);
  if (!citation) return <sup class="mark">{n}</sup>;
  return (
    <button
      type="button"
      class="mark"
      aria-label={say.mark(n, placeOf(citation))}
      title={placeOf(citation)}
      onClick={(event) => openCitation(citations, n, event.currentTarget)}
    >
      {n}
    </button>
  );
}

function WithheldList({ turn }: { turn: Turn }): JSX.Element | null {
  const { withheld } = turn.view;
  if (!withheld.length) return null;
  return (
    <details class="withheld">
      <summary>
        <Icon name="absent" /> {say.withheld(withheld.length)}
      </summary>
      <p>{say.withheldMore}</p>
      <ul>
        {withheld.map((each, index) => (
          <li key={index}>
            <del>{each.text}</del>
            <span class="why">{each.reason}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function OutcomeLine({ turn }: { turn: Signal<Turn> }): JSX.Element | null {
  const now = turn.value;
  if (now.state === "working") return null;
  const outcome = now.stopped ? "stopped" : now.state === "lost" ? "broken" : (now.view.answer?.outcome ?? "broken");
  const icon: Record<string, IconName> = {
    answered: "check",
    escalated: "person",
    refused: "absent",
    broken: "warning",
    stopped: "stop",
  };
  const reason = now.stopped ? say.stoppedMore : now.state === "lost" ? now.message : (now.view.answer?.reason ?? "");
  return (
    <div class={`outcome ${outcome}`}>
      <Icon name={icon[outcome] ?? "check"} />
      <p>
        <strong>{outcomeText(now)}</strong>
        {reason && <> {reason}</>}
      </p>
      {(now.stopped || (now.state === "lost" && now.retry)) && (
        <button type="button" class="small" disabled={working.value} onClick={() => askAgain(turn)}>
          <Icon name="again" /> {now.stopped ? say.askAgain : say.retry}
        </button>
      )}
    </div>
  );
}

/** One card for each revision that is cited, with its places in it. */
function Sources({ citations }: { citations: Citation[] }): JSX.Element {
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
  const where = [sectionOf(citation), pagesOf(citation)].filter(Boolean).join(" · ");
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

export function Badge({ citation }: { citation: Citation }): JSX.Element | null {
  if (citation.standing === "citable") return null;
  return (
    <span class="badge" title={say.superseded}>
      {citation.standing === "readable" ? say.readable : say.rejected}
    </span>
  );
}

function Actions({ answer, turn }: { answer: Answer; turn: Signal<Turn> }): JSX.Element {
  const copied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(copyText(answer, location.origin));
    copied.value = true;
    setTimeout(() => (copied.value = false), 2000);
  };
  return (
    <div class="actions">
      <button type="button" class="small" onClick={() => void copy()} aria-label={say.copyLabel}>
        <Icon name={copied.value ? "check" : "copy"} /> <span aria-live="polite">{copied.value ? say.copied : say.copy}</span>
      </button>
      <button type="button" class="small" disabled={working.value} onClick={() => askAgain(turn)}>
        <Icon name="again" /> {say.askAgain}
      </button>
      <Feedback answer={answer.id} />
    </div>
  );
}

function Feedback({ answer }: { answer: string }): JSX.Element {
  const thumbs = useSignal<"up" | "down" | null>(null);
  const state = useSignal<"" | "asking" | "thanks" | "failed">("");
  const word = useSignal("");
  const send = async (which: "up" | "down", text: string) => {
    thumbs.value = which;
    try {
      await sendFeedback(answer, which, text.trim());
      state.value = text ? "thanks" : "asking";
    } catch {
      state.value = "failed";
    }
  };
  const button = (which: "up" | "down", label: string) => (
    <button type="button" class="plain thumb" aria-label={label} title={label} aria-pressed={thumbs.value === which} onClick={() => void send(which, "")}>
      <Icon name={which} />
    </button>
  );
  return (
    <>
      {button("up", say.helpful)}
      {button("down", say.notHelpful)}
      {state.value === "asking" && thumbs.value && (
        <form
          class="word"
          onSubmit={(event) => {
            event.preventDefault();
            if (thumbs.value && word.value.trim()) void send(thumbs.value, word.value);
          }}
        >
          <label>
            <span class="hidden">{say.word}</span>
            <input value={word.value} maxLength={2000} placeholder={say.word} onInput={(event) => (word.value = event.currentTarget.value)} />
          </label>
          <button type="submit" class="small">
            {say.sendWord}
          </button>
        </form>
      )}
      <span class="fine" role="status">
        {state.value === "thanks" ? say.thanks : state.value === "failed" ? say.feedbackFailed : ""}
      </span>
    </>
  );
}
