/**
 * The interface of the server, played from a recording: for `npm run dev` and for tests of the page by itself.
 *
 * By itself it serves the built page: node dev/mock.ts --port 8123. Questions are answered by the first recorded answer
 * whose word is in them. A question with "break" loses its connection half way, one with "slow" takes its time.
 */
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";

const here = import.meta.dirname;
const PDFJS = join(here, "../node_modules/pdfjs-dist");
/** A file that a test makes: what it is served under the id `long`. */
const LONG = process.env["PINCITE_LONG_FILE"] ?? "";
const STATIC = join(here, "../../src/pincite/serve/static");

/** As the real server sends it, so that what it forbids fails here too. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; font-src 'self' data:;" +
  " connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

interface Recorded {
  event: string;
  data: Record<string, unknown>;
}
interface Recording {
  about: unknown;
  documents: { document: string; sha256: string }[];
  sections: unknown[];
  pages: unknown[];
  answers: { match: string; events: Recorded[] }[];
}

interface Run {
  id: string;
  conversation: string;
  question: string;
  events: Recorded[];
  stopped: boolean;
  over: boolean;
  /** How many events there are by now. */
  made: number;
}

const recording = JSON.parse(readFileSync(join(here, "recording.json"), "utf8")) as Recording;
const runs: Run[] = [];
const titles = new Map<string, string>();

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function json(response: ServerResponse, body: unknown, status = 200): true {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  return true;
}

async function read(request: IncomingMessage): Promise<Record<string, string>> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text || "{}") as Record<string, string>;
}

function begin(question: string, conversation: string | undefined): Run {
  const id = `answer${runs.length + 1}`;
  const found = recording.answers.find(({ match }) => question.toLowerCase().includes(match));
  const run: Run = { id, conversation: conversation ?? `talk${runs.length + 1}`, question, events: [], stopped: false, over: false, made: 0 };
  run.events = (found?.events ?? []).map(({ event, data }) =>
    event === "outcome" ? { event, data: { ...data, id, conversation: run.conversation, question, standalone_question: question } } : { event, data },
  );
  runs.push(run);
  void make(run);
  if (!titles.has(run.conversation)) titles.set(run.conversation, question.slice(0, 80));
  return run;
}

/** Makes an answer's events one after the other, whether or not anybody listens. */
async function make(run: Run): Promise<void> {
  while (!run.over) {
    await sleep(run.question.includes("slow") ? 900 : 60);
    if (run.stopped) {
      run.events.splice(run.made, Infinity, { event: "error", data: { message: "You stopped this answer.", retry: true } });
    }
    run.made += 1;
    run.over = run.made === run.events.length;
  }
}

/** Sends the events above `after`, in pieces of a few bytes; `cut` breaks the connection after that many events. */
async function send(response: ServerResponse, run: Run, after: number, cut: number): Promise<void> {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Pincite-Answer": run.id, "Pincite-Conversation": run.conversation });
  response.flushHeaders();
  for (let n = after; n < run.events.length; ) {
    if (n - after >= cut) {
      response.destroy();
      return;
    }
    if (n === run.made) {
      await sleep(20);
      continue;
    }
    const { event, data } = run.events[n] as Recorded;
    n += 1;
    const bytes = Buffer.from(`id: ${run.id}:${n}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    for (let i = 0; i < bytes.length; i += 501) response.write(bytes.subarray(i, i + 501));
  }
  response.end();
}

/** Answers a request of the interface; false when it is for something else. */
export async function recorded(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const url = new URL(request.url ?? "/", "http://localhost");
  const [root, what, id = "", more] = url.pathname.split("/").filter(Boolean).map(decodeURIComponent);
  if (url.pathname.startsWith("/assets/pdfjs/")) return file(request, response, join(PDFJS, normalize(url.pathname.slice(14))));
  if (root !== "api") return false;
  switch (`${request.method} ${what}`) {
    case "GET about":
      return json(response, recording.about);
    case "HEAD documents":
    case "GET documents": {
      if (!id) {
        const words = (url.searchParams.get("search") ?? "").toLowerCase();
        const documents = recording.documents.filter((each) => JSON.stringify(each).toLowerCase().includes(words));
        const failed = [{ source: "torn.pdf", reason: "the file is damaged and could not be repaired" }];
        return json(response, { release: "2026-11-30", created: "2026-11-30T12:00:00Z", total: documents.length, documents, failed });
      }
      if (url.pathname.endsWith("/pages")) return json(response, { pages: recording.pages });
      if (url.pathname.endsWith("/sections")) return json(response, { sections: recording.sections });
      if (url.pathname.endsWith("/revisions")) {
        return json(response, { release: "2026-11-30", documents: recording.documents.filter((each) => each.document === id) });
      }
      if (id === "long" && LONG) return file(request, response, LONG);
      const known = recording.documents.some((each) => each.document === id && url.pathname.includes(each.sha256));
      if (known) return file(request, response, join(here, "rulebook.pdf"));
      return json(response, { message: "There is no such file: it is not in this library." }, 404);
    }
    case "GET index":
      return json(response, { run: null });
    case "POST chat": {
      const body = await read(request);
      const run = begin(body["question"] ?? "", body["conversation"]);
      await send(response, run, 0, run.question.includes("break") ? 4 : Infinity);
      return true;
    }
    case "GET answers": {
      const run = runs.find((each) => each.id === id);
      if (!run) return json(response, { message: "There is no such answer." }, 404);
      await send(response, run, Number(/:(\d+)$/.exec(String(request.headers["last-event-id"] ?? ""))?.[1] ?? 0), Infinity);
      return true;
    }
    case "POST answers": {
      const run = runs.find((each) => each.id === id);
      if (run && more === "stop") run.stopped = true;
      response.writeHead(204).end();
      return true;
    }
    case "GET conversations": {
      if (id) {
        const here = runs.filter((run) => run.conversation === id);
        const answers = here.filter((run) => run.over && !run.stopped).map((run) => run.events.at(-1)?.data);
        const unfinished = here
          .filter((run) => !run.over || run.stopped)
          .map((run) => ({ id: run.id, question: run.question, asked_at: "2026-11-30T12:00:00Z", running: !run.over }));
        if (!titles.has(id)) return json(response, { message: "There is no such conversation." }, 404);
        return json(response, { id, title: titles.get(id), answers, unfinished });
      }
      const words = (url.searchParams.get("search") ?? "").toLowerCase();
      const notes = [...titles].filter(([, title]) => title.toLowerCase().includes(words)).reverse();
      const from = Number(url.searchParams.get("after") || 0);
      return json(response, {
        conversations: notes
          .slice(from, from + 50)
          .map(([key, title]) => ({ id: key, title, updated: "2026-11-30T12:00:00Z", turns: 1 })),
        next: from + 50 < notes.length ? String(from + 50) : null,
      });
    }
    case "PATCH conversations":
      titles.set(id, (await read(request))["title"] ?? "");
      response.writeHead(204).end();
      return true;
    case "DELETE conversations":
      titles.delete(id);
      response.writeHead(204).end();
      return true;
    default:
      return json(response, { message: "There is nothing at this address." }, 404);
  }
}

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".pdf": "application/pdf",
};

function file(request: IncomingMessage, response: ServerResponse, path: string): boolean {
  if (!existsSync(path)) return false;
  const size = statSync(path).size;
  const headers = { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream", "Accept-Ranges": "bytes" };
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
  const start = range ? Number(range[1]) : 0;
  const end = range?.[2] ? Math.min(Number(range[2]), size - 1) : size - 1;
  response.writeHead(range ? 206 : 200, {
    ...headers,
    "Content-Length": end - start + 1,
    ...(range ? { "Content-Range": `bytes ${start}-${end}/${size}` } : {}),
  });
  if (request.method === "HEAD") response.end();
  else createReadStream(path, { start, end }).pipe(response);
  return true;
}

if (import.meta.main) {
  const at = process.argv.indexOf("--port");
  const port = at > 0 ? Number(process.argv[at + 1]) : 8123;
  createServer((request, response) => {
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    void recorded(request, response).then((known) => {
      if (known) return;
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      const asset = pathname.startsWith("/assets/") && file(request, response, join(STATIC, normalize(pathname)));
      if (!asset) file(request, response, join(STATIC, "index.html"));
    });
  }).listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port}`));
}
