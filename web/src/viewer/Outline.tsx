import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { fetchSections } from "../api.ts";
import { say } from "../strings.ts";
import { treeOf, type SectionTree } from "../tree.ts";
import type { Heading } from "./pane.ts";

interface OutlineProps {
  /** Asked when the outline is opened. */
  own: () => Promise<Heading[]>;
  /** The document, when what is shown is its newest revision: only of that the sections are known. */
  document: string | null;
  goTo: (sheet: number) => void;
  onClose: () => void;
}

/** The file's own outline, else the sections that were read when it was indexed. */
export function Outline({ own, document, goTo, onClose }: OutlineProps): JSX.Element {
  const headings = useSignal<Heading[] | null>(null);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    let here = true;
    const read = async () => {
      const found = await own();
      if (found.length || document === null) return found;
      return treeOf(await fetchSections(document)).map((section) => headingOf(section, goTo));
    };
    read()
      .catch((): Heading[] => [])
      .then((found) => {
        if (here) headings.value = found;
      });
    panel.current?.focus({ preventScroll: true });
    return () => {
      here = false;
    };
  }, []);
  const go = (heading: Heading) => {
    heading.go?.();
    onClose();
  };
  return (
    <nav
      class="outline"
      ref={panel}
      tabIndex={-1}
      aria-label={say.outline}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      {headings.value === null ? (
        <p class="fine" role="status">
          {say.loading}
        </p>
      ) : headings.value.length === 0 ? (
        <p class="fine">{say.noOutline}</p>
      ) : (
        <Headings headings={headings.value} onGo={go} />
      )}
    </nav>
  );
}

function headingOf({ title, sheet, inside }: SectionTree, goTo: (sheet: number) => void): Heading {
  return { title, go: sheet === null ? null : () => goTo(sheet), inside: inside.map((section) => headingOf(section, goTo)) };
}

function Headings({ headings, onGo }: { headings: Heading[]; onGo: (heading: Heading) => void }): JSX.Element {
  return (
    <ul>
      {headings.map((heading, index) => (
        <li key={index}>
          <button type="button" disabled={!heading.go} onClick={() => onGo(heading)}>
            {heading.title}
          </button>
          {heading.inside.length > 0 && <Headings headings={heading.inside} onGo={onGo} />}
        </li>
      ))}
    </ul>
  );
}
