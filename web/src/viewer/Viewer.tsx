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
import { Finder } from "./Finder.tsx";
import { sheetOf } from "./labels.ts";
import { Outline } from "./Outline.tsx";
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
  const panel = useSignal<"" | "find" | "outline">("");
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
  const button = (label: string, icon: IconName, act: () => void, disabled = false, open?: boolean) => (
    <button type="button" class="plain" aria-label={label} title={label} disabled={disabled} aria-expanded={open} onClick={act}>
      <Icon name={icon} />
    </button>
  );
  const toggle = (which: "find" | "outline") => () => (panel.value = panel.value === which ? "" : which);
  // Back to where a reader goes on reading.
  const closePanel = () => {
    panel.value = "";
    container.current?.focus({ preventScroll: true });
  };
  const newest = standing.kind === "citable" ? citation.document : null;
  return (
    <section
      class={`viewer ${place}`}
      role={place === "over" ? "dialog" : "region"}
      aria-modal={place === "over" ? true : undefined}
      aria-labelledby="viewer-title"
      onKeyDown={(event) => {
        // The browser's own search sees only the pages that are drawn.
        if (event.key === "f" && (event.ctrlKey || event.metaKey) && now) {
          event.preventDefault();
          panel.value = "find";
        }
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
        <a
          class="plain"
          href={`${address}#page=${now?.page ?? citation.pages[0]?.page ?? 1}`}
          target="_blank"
          rel="noopener"
          aria-label={say.original}
          title={say.original}
        >
          <Icon name="file" />
        </a>
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
        {button(say.outline, "list", toggle("outline"), !now, panel.value === "outline")}
        {button(say.findInDocument, "find", toggle("find"), !now, panel.value === "find")}
        {button(say.zoomOut, "smaller", () => pane.current?.zoom(-1))}
        {button(say.zoomIn, "larger", () => pane.current?.zoom(1))}
        {button(say.fit, "fit", () => pane.current?.fit())}
      </div>
      {panel.value === "find" && pane.current && <Finder key={address} pane={pane.current} onClose={closePanel} />}
      <div class="viewer-frame">
        {panel.value === "outline" && now && (
          <Outline
            key={address}
            own={async () => (await pane.current?.outline()) ?? []}
            document={newest}
            goTo={(sheet) => pane.current?.goTo(sheet)}
            onClose={closePanel}
          />
        )}
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
