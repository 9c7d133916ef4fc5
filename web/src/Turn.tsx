import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { Actions } from "./Actions.tsx";
import { pieces } from "./answer.ts";
import { placeOf } from "./cite.ts";
import { Icon, type IconName } from "./icons.tsx";
import { toNodes } from "./markdown.ts";
import { Sources } from "./Sources.tsx";
import { SourceTable } from "./SourceTable.tsx";
import { answerAnchor, askAgain, openCitation, outcomeText, type Turn, working } from "./state.ts";
import { language, say } from "./strings.ts";
import type { Citation } from "./wire.ts";

export function TurnView({ turn }: { turn: Signal<Turn> }): JSX.Element {
  const { question, view, state } = turn.value;
  const shown = useComputed(() => pieces(turn.value.view));
  return (
    <article class="turn" id={turn.value.answerId ? answerAnchor(turn.value.answerId) : undefined} aria-busy={state === "working"}>
      <Question text={question} />
      <div class="answer" aria-label={say.answerLabel} role="group">
        <Progress turn={turn.value} />
        <div class="prose">
          {shown.value.map((piece, index) =>
            piece.kind === "table" ? (
              <SourceTable key={`table ${piece.table.id}`} table={piece.table} mark={(n) => <Mark key={n} n={n} citations={view.citations} />} />
            ) : (
              <Prose key={index} html={piece.group.html} citations={view.citations} />
            ),
          )}
        </div>
        {/* Only now: while sentences still come, they would push it down. The line of steps counts meanwhile. */}
        {state !== "working" && <WithheldList turn={turn.value} />}
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
        {busy && turn.view.withheld.length > 0 && <span class="seconds">{say.withheldSoFar(turn.view.withheld.length)}</span>}
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
  if (citation.row) {
    return (
      <sup class="mark" title={placeOf(citation)}>
        {n}
      </sup>
    );
  }
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
    <details class="withheld" open>
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
  const said = now.view.answer?.reason ?? "";
  // A refusal is the answer's own text: once is enough.
  const reason = now.stopped ? say.stoppedMore : now.state === "lost" ? now.message : said === now.view.answer?.markdown ? "" : said;
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
