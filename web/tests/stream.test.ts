import { describe, expect, it } from "vitest";
import { ServerError } from "../src/api.ts";
import { splitId, streamAnswer, StreamLost, type StreamOptions } from "../src/stream.ts";

const block = (n: number, markdown: string): string => `id: a:${n}\nevent: block\ndata: ${JSON.stringify({ markdown, citations: [] })}\n\n`;
const outcome = (n: number): string => `id: a:${n}\nevent: outcome\ndata: {"id":"a"}\n\n`;

interface Call {
  path: string;
  method: string;
  lastId: string | undefined;
}

/** Answers each request with the next of the given bodies; one that ends with "✂" breaks there. */
function server(...bodies: (string | Response)[]): { fetch: typeof fetch; calls: Call[] } {
  const calls: Call[] = [];
  const reply = (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = init.headers as Record<string, string>;
    calls.push({ path, method: init.method ?? "GET", lastId: headers["Last-Event-ID"] });
    const body = bodies[calls.length - 1] ?? "";
    if (body instanceof Response) return Promise.resolve(body);
    const broken = body.endsWith("✂");
    const bytes = new TextEncoder().encode(broken ? body.slice(0, -1) : body);
    const stream = new ReadableStream<Uint8Array>({
      async start(controller) {
        // Three bytes at a time: every character outside ASCII is split somewhere.
        for (let i = 0; i < bytes.length; i += 3) controller.enqueue(bytes.slice(i, i + 3));
        // What was sent is read before the connection breaks.
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (broken) controller.error(new TypeError("network error"));
        else controller.close();
      },
    });
    return Promise.resolve(new Response(stream, { status: 200 }));
  };
  return { fetch: reply as typeof fetch, calls };
}

async function texts(from: { fetch: typeof fetch }, more: Partial<StreamOptions> = {}): Promise<string[]> {
  const found: string[] = [];
  const start = { question: "q", conversation: null };
  for await (const event of streamAnswer({ start, signal: new AbortController().signal, fetch: from.fetch, waits: [1, 1], ...more })) {
    found.push(event.event === "block" ? event.data.markdown : event.event);
  }
  return found;
}

describe("a stream of events", () => {
  it("is read whole when characters are split between packets", async () => {
    expect(await texts(server(block(1, "Q [m³/h] kost € 12,50 – ≤ 16 µm") + outcome(2)))).toEqual(["Q [m³/h] kost € 12,50 – ≤ 16 µm", "outcome"]);
  });

  it("skips comments and events of a later version", async () => {
    expect(await texts(server(`: still answering\n\nid: a:1\nevent: novelty\ndata: {}\n\n${outcome(2)}`))).toEqual(["outcome"]);
  });

  it("is resumed with the last id, and nothing is shown twice", async () => {
    const from = server(`${block(1, "one")}${block(2, "two")}✂`, `${block(2, "two")}${block(3, "three")}${outcome(4)}`);

    expect(await texts(from)).toEqual(["one", "two", "three", "outcome"]);
    expect(from.calls).toEqual([
      { path: "/api/chat", method: "POST", lastId: undefined },
      { path: "/api/answers/a/events", method: "GET", lastId: "a:2" },
    ]);
  });

  it("drops an event that broke off in the middle, and gets it again", async () => {
    const from = server(`${block(1, "one")}id: a:2\nevent: block\ndata: {"markdown": "tw✂`, block(2, "two") + outcome(3));

    expect(await texts(from)).toEqual(["one", "two", "outcome"]);
  });

  it("is resumed when the server closes it before the outcome", async () => {
    expect(await texts(server(block(1, "one"), outcome(2)))).toEqual(["one", "outcome"]);
  });

  it("is resumed before the first event when the server names the answer at once", async () => {
    const first = new Response("", { headers: { "Pincite-Answer": "a", "Pincite-Conversation": "c" } });
    const from = server(first, block(1, "one") + outcome(2));
    const named: string[][] = [];

    expect(await texts(from, { onAnswer: (...ids) => named.push(ids) })).toEqual(["one", "outcome"]);
    expect(named).toEqual([["a", "c"]]);
    expect(from.calls[1]).toEqual({ path: "/api/answers/a/events", method: "GET", lastId: undefined });
  });

  it("says that it reconnects, and that it is back", async () => {
    const attempts: number[] = [];

    await texts(server(block(1, "one"), "✂", block(2, "two") + outcome(3)), { onReconnect: (n) => attempts.push(n) });

    expect(attempts).toEqual([1, 2, 0]);
  });

  it("is given up after the last attempt", async () => {
    await expect(texts(server(block(1, "one"), "✂", "✂"))).rejects.toThrow(StreamLost);
  });

  it("is not asked again when nothing is known of the answer: that could ask twice", async () => {
    const from = server("✂");

    await expect(texts(from)).rejects.toThrow(StreamLost);
    expect(from.calls).toHaveLength(1);
  });

  it("passes on the sentence with which the server refuses", async () => {
    const refused = Response.json({ message: "question: it is empty, write what you want to know." }, { status: 422 });

    await expect(texts(server(refused))).rejects.toThrow(new ServerError("question: it is empty, write what you want to know.", 422));
  });

  it("ends quietly when the reader goes away", async () => {
    const controller = new AbortController();
    const found: string[] = [];
    const from = server(`${block(1, "one")}✂`);
    for await (const event of streamAnswer({ start: { question: "q", conversation: null }, signal: controller.signal, fetch: from.fetch, waits: [10_000] })) {
      found.push(event.event);
      setTimeout(() => controller.abort(), 20);
    }

    expect(found).toEqual(["block"]);
  });
});

it("finds the answer's id and the number of the event", () => {
  expect(splitId("a:b:7")).toEqual(["a:b", 7]);
  expect(splitId("a")).toEqual(["", null]);
  expect(splitId(undefined)).toEqual(["", null]);
});
