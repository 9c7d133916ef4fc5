import { createParser } from "eventsource-parser";
import { refusal, ServerError } from "./api.ts";
import type { AnswerEvent } from "./wire.ts";

const KNOWN = new Set(["step", "passages", "block", "table", "withheld", "sources", "outcome", "error"]);

export interface StreamOptions {
  /** A new question, or the id of an answer to follow from its first event. */
  start: { question: string; conversation: string | null } | { answer: string };
  signal: AbortSignal;
  /** Called once, as soon as the answer's id is known, with that of its conversation ("" when the server does not say). */
  onAnswer?: (id: string, conversation: string) => void;
  /** Called with the number of the attempt when the connection broke, and with 0 when it is back. */
  onReconnect?: (attempt: number) => void;
  /** Milliseconds to wait before each attempt to reconnect; its length is the number of attempts in a row. */
  waits?: readonly number[];
  fetch?: typeof fetch;
}

/** The stream broke and could not be resumed. */
export class StreamLost extends Error {}

const WAITS = [250, 500, 1000, 2000, 4000, 8000, 8000, 8000];

/**
 * The events of one answer, each once and in order, over as many connections as it takes.
 *
 * An event's id is `<answer id>:<n>`. A broken connection is resumed with the last id; an event that is sent again is
 * dropped. Ends after `outcome` or `error`. Throws `ServerError` when the server refuses, `StreamLost` when it stays away.
 */
export async function* streamAnswer(options: StreamOptions): AsyncGenerator<AnswerEvent> {
  const get = options.fetch ?? fetch;
  const waits = options.waits ?? WAITS;
  let answer = "answer" in options.start ? options.start.answer : "";
  let lastId = "";
  let lastN = -1;
  let attempt = 0;
  for (;;) {
    try {
      const headers: Record<string, string> = { Accept: "text/event-stream" };
      let response: Response;
      if (answer) {
        if (lastId) headers["Last-Event-ID"] = lastId;
        response = await get(`/api/answers/${encodeURIComponent(answer)}/events`, { headers, signal: options.signal });
      } else {
        headers["Content-Type"] = "application/json";
        const { question, conversation } = options.start as { question: string; conversation: string | null };
        const body = JSON.stringify(conversation ? { question, conversation } : { question });
        response = await get("/api/chat", { method: "POST", headers, body, signal: options.signal });
      }
      if (!response.ok) throw await refusal(response);
      const named = response.headers.get("Pincite-Answer");
      if (named && !answer) {
        answer = named;
        options.onAnswer?.(answer, response.headers.get("Pincite-Conversation") ?? "");
      }
      if (!response.body) throw new StreamLost();
      for await (const message of messages(response.body)) {
        const [id, n] = splitId(message.id);
        if (id && n !== null) {
          if (n <= lastN) continue;
          lastN = n;
          lastId = message.id ?? "";
          if (!answer) options.onAnswer?.(id, "");
          answer = id;
        }
        if (attempt) options.onReconnect?.(0);
        attempt = 0;
        if (!KNOWN.has(message.event ?? "")) continue;
        const event = { event: message.event, data: JSON.parse(message.data) as unknown } as AnswerEvent;
        yield event;
        if (event.event === "outcome" || event.event === "error") return;
      }
    } catch (error) {
      if (options.signal.aborted) return;
      // A refusal is an answer; only a server that is overloaded or restarting is asked again.
      if (error instanceof ServerError && (error.status < 500 || !answer)) throw error;
      if (error instanceof SyntaxError) throw error;
    }
    if (options.signal.aborted) return;
    // Without an id there is nothing to resume, and asking again by itself could ask twice.
    if (!answer) throw new StreamLost();
    const wait = waits[attempt];
    if (wait === undefined) throw new StreamLost();
    attempt += 1;
    options.onReconnect?.(attempt);
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        options.signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, wait);
      options.signal.addEventListener("abort", done);
    });
    if (options.signal.aborted) return;
  }
}

/** `"a:7"` is `["a", 7]`; an answer id may itself hold a colon. */
export function splitId(id: string | undefined): [string, number | null] {
  const match = /^(.+):(\d+)$/.exec(id ?? "");
  return match ? [match[1] ?? "", Number(match[2])] : ["", null];
}

interface Message {
  id: string | undefined;
  event: string | undefined;
  data: string;
}

async function* messages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const queue: Message[] = [];
  const parser = createParser({ onEvent: ({ id, event, data }) => queue.push({ id, event, data }) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* queue.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
