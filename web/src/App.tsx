import { useSignal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { Bar, Chat } from "./Chat.tsx";
import { History } from "./History.tsx";
import { Icon } from "./icons.tsx";
import { revisionsOf } from "./standing.ts";
import { announcements, closeViewer, listOver, navigate, route, sidebar, viewer, type ViewerTarget, wide } from "./state.ts";
import { say } from "./strings.ts";
import type { Citation } from "./wire.ts";

export interface ViewerProps {
  target: ViewerTarget;
  /** Beside or over the chat, or a page of its own. */
  place: "beside" | "over" | "alone";
  onStep: (index: number) => void;
  onClose: () => void;
}

export function App(): JSX.Element {
  const here = route.value;
  if (here.kind === "view") return <DocumentPage key={`${here.document}/${here.sha256}/${here.page}`} {...here} />;
  const target = viewer.value;
  const over = target !== null && !wide.value;
  const listLiesOver = listOver.value;
  const className = ["app", sidebar.value && !listLiesOver && "with-list", target && "with-viewer"].filter(Boolean).join(" ");
  return (
    <div class={className}>
      {!over && here.kind === "chat" && (
        <a class="skip" href="#question">
          {say.skip}
        </a>
      )}
      <History over={listLiesOver} />
      <div class="column" inert={over || listLiesOver}>
        {here.kind === "library" ? <LazyLibrary document={here.document} /> : <Chat />}
      </div>
      {listLiesOver && <div class="veil" onClick={() => (sidebar.value = false)} />}
      {target && (
        <LazyViewer
          target={target}
          place={over ? "over" : "beside"}
          onStep={(index) => (viewer.value = { ...target, index })}
          onClose={closeViewer}
        />
      )}
      <div class="hidden log" role="log" aria-live="polite">
        {announcements.value.map((text, index) => (
          <p key={index}>{text}</p>
        ))}
      </div>
    </div>
  );
}

/** A part of the page that comes when it is first wanted; null while it is on its way, "failed" when it does not come. */
function useLazy<P>(known: { part?: ComponentType<P> }, load: () => Promise<ComponentType<P>>): ComponentType<P> | "failed" | null {
  const part = useSignal<{ it: ComponentType<P> | "failed" | null }>({ it: known.part ?? null });
  useEffect(() => {
    if (part.peek().it) return;
    load().then(
      (it) => {
        known.part = it;
        part.value = { it };
      },
      () => {
        part.value = { it: "failed" };
      },
    );
  }, []);
  return part.value.it;
}

const knownViewer: { part?: ComponentType<ViewerProps> } = {};

/** pdf.js is ten times the rest of the page: it comes when the first source is opened. */
function LazyViewer(props: ViewerProps): JSX.Element {
  const View = useLazy(knownViewer, async () => (await import("./viewer/Viewer.tsx")).Viewer);
  if (View && View !== "failed") return <View {...props} />;
  const failed = View === "failed";
  return (
    <section class={`viewer ${props.place}`} aria-label={say.viewer} aria-busy={!failed}>
      <header class="viewer-bar">
        <button type="button" class="plain" onClick={props.onClose} aria-label={say.close} title={say.close}>
          <Icon name="close" />
        </button>
      </header>
      <p class="viewer-note" role={failed ? "alert" : undefined}>
        {failed ? say.unreachable : say.loading}
      </p>
    </section>
  );
}

const knownLibrary: { part?: ComponentType<{ document: string | null }> } = {};

function LazyLibrary(props: { document: string | null }): JSX.Element {
  const View = useLazy(knownLibrary, async () => (await import("./library/Library.tsx")).Library);
  return (
    <>
      <Bar />
      {View && View !== "failed" ? <View {...props} /> : <main>{View === "failed" && <p class="trouble">{say.unreachable}</p>}</main>}
    </>
  );
}

/** `/view/…`: one revision of a document, opened by the address of a citation. */
function DocumentPage(props: { document: string; sha256: string; page: number }): JSX.Element {
  const revisions = revisionsOf(props.document).value;
  const known = revisions ?? [];
  const own = known.find(({ sha256 }) => sha256 === props.sha256) ?? known[0];
  const title = own?.title || own?.source || props.document;
  useEffect(() => {
    document.title = `${title} · Pincite`;
  }, [title]);
  const pages = useMemo(() => [{ page: props.page, label: "", boxes: [] }], [props.page]);
  const citation: Citation = {
    n: 0,
    document: props.document,
    source: own?.source ?? "",
    title,
    revision: own?.sha256 === props.sha256 ? own.revision : "",
    sha256: props.sha256,
    section: [],
    pages,
    quote: "",
    standing: own?.sha256 === props.sha256 ? own.standing : "citable",
    retrieved_at: "",
    url: location.pathname + location.search,
  };
  return (
    <main class="alone-page">
      <LazyViewer target={{ citations: [citation], index: 0 }} place="alone" onStep={() => undefined} onClose={() => navigate("/")} />
    </main>
  );
}
