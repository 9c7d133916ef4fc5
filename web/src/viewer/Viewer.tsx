import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ViewerProps } from "../App.tsx";
import { fileAddress, refusal } from "../api.ts";
import { pagesOf, sectionOf } from "../cite.ts";
import { Icon, type IconName } from "../icons.tsx";
import { ownAddress } from "../markdown.ts";
import { say } from "../strings.ts";
import { Badge } from "../Sources.tsx";
import { revisionsOf, today } from "../standing.ts";
import { sheetOf } from "./labels.ts";
import { Pane, type PaneState } from "./pane.ts";
import "./viewer.css";

export function Viewer({ target, place, onStep, onClose }: ViewerProps): JSX.Element {
  const citation = target.citations[target.index] ?? target.citations[0];
  const container = useRef<HTMLDivElement>(null);
  const pages = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const pane = useRef<Pane | null>(null);
  const opened = useRef("");
  const state = useSignal<PaneState | null>(null);
  const problem = useSignal("");
  const address = citation ? fileAddress(citation.document, citation.sha256) : "";

  useEffect(() => {
    if (!container.current || !pages.current) return undefined;
    const made = new Pane(container.current, pages.current, (now) => {
      state.value = now;
    });
    pane.current = made;
    return () => {
      pane.current = null;
      opened.current = "";
      void made.close();
    };
  }, []);

  useEffect(() => {
    if (!citation || !pane.current) return;
    heading.current?.focus({ preventScroll: true });
    if (opened.current === address) {
      void pane.current.show(citation.pages);
      return;
    }
    opened.current = address;
    state.value = null;
    problem.value = "";
    pane.current.open(address, citation.pages).catch(async (error: unknown) => {
      if (opened.current !== address) return;
      problem.value = await explain(address, error);
      opened.current = "";
    });
  }, [address, citation?.pages]);

  if (!citation) return <></>;
  const standing = today(citation, revisionsOf(citation.document).value);
  const many = target.citations.length > 1;
  const now = state.value;
  const button = (label: string, icon: IconName, act: () => void, disabled = false) => (
    <button type="button" class="plain" aria-label={label} title={label} disabled={disabled} onClick={act}>
      <Icon name={icon} />
    </button>
  );
  return (
    <section
      class={`viewer ${place}`}
      role={place === "over" ? "dialog" : "region"}
      aria-modal={place === "over" ? true : undefined}
      aria-labelledby="viewer-title"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || place === "alone") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <header class="viewer-bar">
        {place === "alone" ? (
          <a class="wordmark" href="/">
            Pincite<span class="hidden">: {say.backToChat}</span>
          </a>
        ) : (
          many && (
            <div class="stepper">
              {button(say.previous, "previous", () => onStep(target.index - 1), target.index === 0)}
              <span class="number" aria-label={say.citationOf(target.index + 1, target.citations.length)} role="img">
                {citation.n}
              </span>
              {button(say.next, "next", () => onStep(target.index + 1), target.index === target.citations.length - 1)}
            </div>
          )
        )}
        <h2 id="viewer-title" ref={heading} tabIndex={-1} title={citation.title || citation.source}>
          {citation.title || citation.source}
        </h2>
        {place !== "alone" && (
          <>
            <a class="plain" href={ownAddress(citation.url)} target="_blank" rel="noopener" aria-label={say.newTab} title={say.newTab}>
              <Icon name="tab" />
            </a>
            {button(say.close, "close", onClose)}
          </>
        )}
      </header>
      {(citation.quote || citation.section.length > 0 || standing.kind !== "citable") && (
        <div class="viewer-cited">
          <p class="card-place">
            <Badge citation={citation} />
            {[pagesOf(citation), citation.revision && say.revision(citation.revision), sectionOf(citation)].filter(Boolean).join(" · ")}
          </p>
          {standing.kind === "superseded" && (
            <p class="newer">
              {say.newer(citation.revision, standing.by.revision)}{" "}
              <a href={`/view/${encodeURIComponent(standing.by.document)}/${standing.by.sha256}`} {...(place === "alone" ? {} : { target: "_blank", rel: "noopener" })}>
                {say.openNewer}
              </a>
            </p>
          )}
          {citation.quote && (
            <blockquote>
              <span class="hidden">{say.passage}: </span>
              {citation.quote}
            </blockquote>
          )}
        </div>
      )}
      <div class="viewer-tools" role="group" aria-label={say.viewer}>
        <PageField state={now} onPage={(page) => pane.current?.goTo(page)} />
        <span class="spacer" />
        {button(say.zoomOut, "smaller", () => pane.current?.zoom(-1))}
        {button(say.zoomIn, "larger", () => pane.current?.zoom(1))}
        {button(say.fit, "fit", () => pane.current?.fit())}
      </div>
      <div class="viewer-frame">
        <div class="viewer-scroll" ref={container} tabIndex={0} role="group" aria-label={citation.title || citation.source}>
          <div class="pdfViewer" ref={pages} />
        </div>
        {problem.value ? (
          <p class="viewer-note" role="alert">
            {problem.value}
          </p>
        ) : (
          !now && (
            <p class="viewer-note" role="status">
              {say.loading}
            </p>
          )
        )}
      </div>
    </section>
  );
}

/** Takes what is printed on the page ("iv", "A-3") or a sheet index. */
function PageField({ state, onPage }: { state: PaneState | null; onPage: (page: number) => void }): JSX.Element {
  const typed = useSignal<string | null>(null);
  const wrong = useSignal("");
  if (!state) return <span />;
  const label = state.labels?.[state.page - 1] || String(state.page);
  return (
    <form
      class="page-field"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = typed.value ?? label;
        const sheet = sheetOf(wanted, state.labels, state.count, state.page);
        wrong.value = sheet ? "" : say.noPage(wanted);
        if (!sheet) return;
        typed.value = null;
        onPage(sheet);
      }}
    >
      <label>
        <span>{say.pageField}</span>
        <input
          value={typed.value ?? label}
          size={4}
          inputMode="text"
          autocomplete="off"
          aria-invalid={wrong.value ? true : undefined}
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => (typed.value = event.currentTarget.value)}
          onBlur={() => {
            typed.value = null;
            wrong.value = "";
          }}
        />
      </label>
      <span class="fine" role={wrong.value ? "alert" : undefined}>
        {wrong.value || say.sheet(state.page, state.count)}
      </span>
    </form>
  );
}

/** The server's own sentence when it refused the file, the engine's when the file is unreadable. */
async function explain(address: string, error: unknown): Promise<string> {
  try {
    const response = await fetch(address, { headers: { Range: "bytes=0-0" } });
    if (!response.ok) return (await refusal(response)).message;
  } catch {
    return say.unreachable;
  }
  return error instanceof Error ? error.message : String(error);
}
