import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { sendFeedback } from "./api.ts";
import { copyText } from "./cite.ts";
import { Icon, type IconName } from "./icons.tsx";
import { answerAddress, askAgain, type Turn, working } from "./state.ts";
import { say } from "./strings.ts";
import type { Answer } from "./wire.ts";

/** What a reader can do with an answer that is complete. */
export function Actions({ answer, turn }: { answer: Answer; turn: Signal<Turn> }): JSX.Element {
  return (
    <div class="actions">
      <CopyButton icon="copy" label={say.copyLabel} name={say.copy} done={say.copied} text={() => copyText(answer, location.origin)} />
      <CopyButton icon="link" label={say.copyLinkLabel} name={say.copyLink} done={say.linkCopied} text={() => answerAddress(answer)} />
      <button type="button" class="small" disabled={working.value} onClick={() => askAgain(turn)}>
        <Icon name="again" /> {say.askAgain}
      </button>
      <Feedback answer={answer.id} />
    </div>
  );
}

function CopyButton(props: { icon: IconName; label: string; name: string; done: string; text: () => string }): JSX.Element {
  const copied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(props.text());
    copied.value = true;
    setTimeout(() => (copied.value = false), 2000);
  };
  return (
    <button type="button" class="small" onClick={() => void copy()} aria-label={props.label}>
      <Icon name={copied.value ? "check" : props.icon} /> <span aria-live="polite">{copied.value ? props.done : props.name}</span>
    </button>
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
