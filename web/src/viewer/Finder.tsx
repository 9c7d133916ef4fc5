import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../icons.tsx";
import { say } from "../strings.ts";
import type { Found, Pane } from "./pane.ts";

/** Searches the document: Enter goes to the next place, Shift + Enter to the one before. */
export function Finder({ pane, onClose }: { pane: Pane; onClose: () => void }): JSX.Element {
  const words = useSignal("");
  const found = useSignal<Found | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    return () => pane.find("", "first", () => undefined);
  }, []);
  const find = (direction: "first" | "next" | "previous") => {
    if (!words.peek()) found.value = null;
    pane.find(words.peek(), direction, (now) => (found.value = words.peek() ? now : null));
  };
  const now = found.value;
  const none = now !== null && now.count === 0 && !now.searching;
  return (
    <div
      class="finder"
      role="search"
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.stopPropagation();
          onClose();
        } else if (event.key === "Enter" && event.target === field.current) {
          event.preventDefault();
          find(event.shiftKey ? "previous" : "next");
        }
      }}
    >
      <input
        ref={field}
        type="search"
        aria-label={say.findInDocument}
        placeholder={say.findInDocument}
        aria-invalid={none || undefined}
        value={words.value}
        onInput={(event) => {
          words.value = event.currentTarget.value;
          find("first");
        }}
      />
      <span class="fine" role="status">
        {now && (now.searching ? say.searching : none ? say.notFound : say.foundAt(now.at, now.count))}
      </span>
      <button type="button" class="plain" aria-label={say.previousFound} title={say.previousFound} disabled={!now?.count} onClick={() => find("previous")}>
        <Icon name="previous" />
      </button>
      <button type="button" class="plain" aria-label={say.nextFound} title={say.nextFound} disabled={!now?.count} onClick={() => find("next")}>
        <Icon name="next" />
      </button>
      <button type="button" class="plain" aria-label={say.closeFinder} title={say.closeFinder} onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
}
