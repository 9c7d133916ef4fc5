import { useSignal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { Chat } from "./Chat.tsx";
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
      {!over && (
        <a class="skip" href="#question">
          {say.skip}
        </a>
      )}
      <History over={listLiesOver} />
      <div class="column" inert={over || listLiesOver}>
        <Chat />
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

let loaded: ComponentType<ViewerProps> | null = null;

/** pdf.js is ten times the rest of the page: it comes when the first source is opened. */
function LazyViewer(props: ViewerProps): JSX.Element {
  const View = useSignal(loaded);
  const failed = useSignal(false);
  useEffect(() => {
    if (View.peek()) return;
    import("./viewer/Viewer.tsx").then(
      ({ Viewer }) => {
        loaded = Viewer;
        View.value = Viewer;
      },
      () => {
        failed.value = true;
      },
    );
  }, []);
  if (View.value) return <View.value {...props} />;
  return (
    <section class={`viewer ${props.place}`} aria-label={say.viewer} aria-busy={!failed.value}>
      <header class="viewer-bar">
        <button type="button" class="plain" onClick={props.onClose} aria-label={say.close} title={say.close}>
          <Icon name="close" />
        </button>
      </header>
      <p class="viewer-note" role={failed.value ? "alert" : undefined}>
        {failed.value ? say.unreachable : say.loading}
      </p>
    </section>
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
