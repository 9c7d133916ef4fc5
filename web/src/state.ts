import { computed, signal, type Signal } from "@preact/signals";
import type { AnswerView } from "./answer.ts";
import { emptyView, viewOf, withEvent } from "./answer.ts";
import * as api from "./api.ts";
import { forgetRevisions } from "./standing.ts";
import { say } from "./strings.ts";
import { streamAnswer, StreamLost } from "./stream.ts";
import type { About, Citation, ConversationNote } from "./wire.ts";

/** One question with its answer so far. */
export interface Turn {
  key: number;
  question: string;
  view: AnswerView;
  /** `lost`: broken off, or refused by the server; `message` says what to do. */
  state: "working" | "done" | "lost";
  /** The reader pressed Stop. */
  stopped: boolean;
  /** Empty until the first event. */
  answerId: string;
  reconnecting: boolean;
  message: string;
  retry: boolean;
  started: number;
}

export interface ViewerTarget {
  citations: Citation[];
  index: number;
}

export type Route =
  | { kind: "chat"; conversation: string | null }
  | { kind: "library"; document: string | null }
  | { kind: "view"; document: string; sha256: string; page: number };

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A stray % that somebody typed.
  }
}

export function parseRoute(path: string, search: string): Route {
  const parts = path.split("/").filter(Boolean).map(decoded);
  if (parts[0] === "view" && parts[1] && parts[2]) {
    const page = Number(new URLSearchParams(search).get("page") ?? 1);
    return { kind: "view", document: parts[1], sha256: parts[2], page: Number.isInteger(page) && page > 0 ? page : 1 };
  }
  if (parts[0] === "library") return { kind: "library", document: parts.slice(1).join("/") || null };
  return { kind: "chat", conversation: parts[0] === "c" && parts[1] ? parts[1] : null };
}

export const route = signal<Route>({ kind: "chat", conversation: null });
export const about = signal<About | null>(null);
/** Why the page cannot be used at all; "" when it can. */
export const trouble = signal("");
export const turns = signal<Signal<Turn>[]>([]);
export const conversation = signal<string | null>(null);
/** Counts arrivals at a conversation: the field for the question begins anew with each. */
export const visit = signal(0);
export const conversations = signal<ConversationNote[] | null>(null);
/** Where the list of conversations goes on; null when all are shown. */
export const moreConversations = signal<string | null>(null);
export const search = signal("");
export const viewer = signal<ViewerTarget | null>(null);
export const sidebar = signal(false);
/** What a screen reader is told, newest last. */
export const announcements = signal<string[]>([]);
export const working = computed(() => turns.value.some((turn) => turn.value.state === "working"));

function widerThan(pixels: number): Signal<boolean> {
  const query = matchMedia(`(min-width: ${pixels}px)`);
  const matches = signal(query.matches);
  query.addEventListener("change", () => {
    matches.value = query.matches;
  });
  return matches;
}

/** Room for two columns; without it the viewer and the list of conversations lie over the chat. */
export const wide = widerThan(900);
/** Room for three: list, chat and viewer. */
const widest = widerThan(1500);
/** Whether the list of conversations lies over the rest. */
export const listOver = computed(() => sidebar.value && !(viewer.value ? widest.value : wide.value));

let nextKey = 0;
const readers = new Map<Signal<Turn>, AbortController>();
let opener: HTMLElement | null = null;
let listBefore = false;

// ---------------------------------------------------------------- what outlives a reload

export const lasting = {
  read(key: string): string | null {
    try {
      return localStorage.getItem(`pincite.${key}`);
    } catch {
      return null; // Storage is switched off: everything works, nothing is remembered.
    }
  },
  write(key: string, value: string | null): void {
    try {
      if (value === null || value === "") localStorage.removeItem(`pincite.${key}`);
      else localStorage.setItem(`pincite.${key}`, value);
    } catch {
      // As above, or full.
    }
  },
};

const draftKey = (): string => `draft.${conversation.peek() ?? "new"}`;
export const readDraft = (): string => lasting.read(draftKey()) ?? "";
export const writeDraft = (text: string): void => lasting.write(draftKey(), text);

// ---------------------------------------------------------------- asking

function newTurn(question: string): Signal<Turn> {
  nextKey += 1;
  return signal<Turn>({
    key: nextKey,
    question,
    view: emptyView(),
    state: "working",
    stopped: false,
    answerId: "",
    reconnecting: false,
    message: "",
    retry: false,
    started: Date.now(),
  });
}

export function ask(question: string): void {
  const text = question.trim();
  if (!text || working.peek()) return;
  const turn = newTurn(text);
  turns.value = [...turns.value, turn];
  // The address named an older answer; the newest is what the reader looks at now.
  if (location.hash) history.replaceState(null, "", location.pathname);
  writeDraft("");
  announcements.value = [say.working];
  void follow(turn, { question: text, conversation: conversation.peek() });
}

/** Asks the question of a broken or finished turn once more; a broken one gives its place to the new one. */
export function askAgain(turn: Signal<Turn>): void {
  if (working.peek()) return;
  if (turn.peek().state === "lost") turns.value = turns.value.filter((each) => each !== turn);
  ask(turn.peek().question);
}

async function follow(turn: Signal<Turn>, start: { question: string; conversation: string | null } | { answer: string }) {
  const controller = new AbortController();
  readers.set(turn, controller);
  const change = (part: Partial<Turn>) => {
    turn.value = { ...turn.peek(), ...part };
  };
  try {
    const events = streamAnswer({
      start,
      signal: controller.signal,
      onAnswer: (answerId, of) => {
        change({ answerId });
        adopt(of, turn);
      },
      onReconnect: (attempt) => change({ reconnecting: attempt > 0 }),
    });
    for await (const event of events) {
      change({ view: withEvent(turn.peek().view, event), reconnecting: false });
      if (event.event === "step") announce(event.data.summary);
      else if (event.event === "block") announce(event.data.markdown.replace(/\s*\{\{\d+\}\}/g, ""));
      else if (event.event === "error") change({ state: "lost", message: event.data.message, retry: event.data.retry });
      else if (event.event === "outcome") {
        change({ state: "done" });
        announce(outcomeText(turn.peek()));
        adopt(event.data.conversation, turn);
      }
    }
    if (turn.peek().state === "working") change({ state: "done", stopped: true });
  } catch (error) {
    const known = error instanceof api.ServerError;
    const message = known ? error.message : error instanceof StreamLost && turn.peek().answerId ? say.lost : say.unreachable;
    change({ state: "lost", message, retry: true, reconnecting: false });
    announce(message);
  } finally {
    readers.delete(turn);
  }
  void loadConversations();
}

/** Gives the page the address of its conversation, while the reader is still in it: a reload comes back here. */
function adopt(id: string, turn: Signal<Turn>): void {
  if (!id || conversation.peek() === id || !turns.peek().includes(turn)) return;
  conversation.value = id;
  document.title = `${turn.peek().question.slice(0, 60)} · Pincite`;
  history.replaceState(null, "", `/c/${encodeURIComponent(id)}`);
  route.value = { kind: "chat", conversation: id };
}

function announce(text: string): void {
  announcements.value = [...announcements.value.slice(-40), text];
}

/** One line on how it ended, without the reason. */
export function outcomeText(turn: Turn): string {
  if (turn.stopped) return say.stopped;
  if (turn.state === "lost") return say.broken;
  const answer = turn.view.answer;
  if (!answer) return "";
  if (answer.outcome === "answered") return say.answered(answer.citations.length);
  return answer.outcome === "escalated" ? say.escalated : say.refused;
}

/** Asks the server to stop; what was sent stays. The stream ends by itself, or is cut when the server does not react. */
export function stop(): void {
  const turn = turns.peek().find((each) => each.peek().state === "working");
  if (!turn) return;
  turn.value = { ...turn.peek(), stopped: true };
  const controller = readers.get(turn);
  const { answerId } = turn.peek();
  if (!answerId) {
    controller?.abort();
    return;
  }
  api.stopAnswer(answerId).catch(() => controller?.abort());
  setTimeout(() => {
    if (turn.peek().state === "working") controller?.abort();
  }, 3000);
}

// ---------------------------------------------------------------- conversations

export async function openConversation(id: string | null): Promise<void> {
  // The server goes on; whoever comes back finds the answer.
  for (const reader of readers.values()) reader.abort();
  viewer.value = null;
  forgetRevisions();
  conversation.value = id;
  visit.value += 1;
  turns.value = [];
  trouble.value = "";
  announcements.value = [];
  if (id) {
    try {
      const stored = await api.fetchConversation(id);
      if (conversation.peek() !== id) return;
      turns.value = stored.answers.map((answer) => {
        const turn = newTurn(answer.question);
        turn.value = { ...turn.peek(), view: viewOf(answer), state: "done", answerId: answer.id };
        return turn;
      });
      document.title = `${stored.title || say.untitled} · Pincite`;
      for (const { id: answer, question } of stored.unfinished ?? []) {
        // Of one that runs the rest, of one that ended early what there was: the server sends either from the start.
        const turn = newTurn(question);
        turn.value = { ...turn.peek(), answerId: answer };
        turns.value = [...turns.peek(), turn];
        void follow(turn, { answer });
      }
    } catch (error) {
      if (conversation.peek() !== id) return;
      const gone = error instanceof api.ServerError && error.status === 404;
      trouble.value = gone ? say.notThere : error instanceof api.ServerError ? error.message : say.unreachable;
      return;
    }
  } else document.title = "Pincite";
}

export async function loadConversations(): Promise<void> {
  const words = search.peek();
  try {
    const found = await api.fetchConversations(words);
    if (search.peek() !== words) return;
    conversations.value = found.conversations;
    moreConversations.value = found.next;
  } catch {
    // The list is a convenience; what is wrong with the server shows where the reader asks.
  }
}

export async function loadMoreConversations(): Promise<void> {
  const [words, after] = [search.peek(), moreConversations.peek()];
  if (after === null) return;
  const found = await api.fetchConversations(words, after);
  // The list began anew meanwhile.
  if (search.peek() !== words || moreConversations.peek() !== after) return;
  conversations.value = [...(conversations.peek() ?? []), ...found.conversations];
  moreConversations.value = found.next;
}

let searching: ReturnType<typeof setTimeout> | undefined;
export function searchConversations(words: string): void {
  search.value = words;
  clearTimeout(searching);
  searching = setTimeout(() => void loadConversations(), 150);
}

export async function removeConversation(id: string): Promise<void> {
  await api.deleteConversation(id);
  conversations.value = (conversations.peek() ?? []).filter((each) => each.id !== id);
  if (conversation.peek() === id) navigate("/");
}

export async function retitle(id: string, title: string): Promise<void> {
  await api.renameConversation(id, title);
  conversations.value = (conversations.peek() ?? []).map((each) => (each.id === id ? { ...each, title } : each));
  if (conversation.peek() === id) document.title = `${title} · Pincite`;
}

// ---------------------------------------------------------------- places

export const answerAnchor = (id: string): string => `answer-${id}`;

/** The address that opens a conversation at one of its answers. */
export const answerAddress = (answer: { id: string; conversation: string }): string =>
  new URL(`/c/${encodeURIComponent(answer.conversation)}#${answerAnchor(answer.id)}`, location.origin).href;

export function navigate(path: string): void {
  const url = new URL(path, location.origin);
  history.pushState(null, "", url);
  arrive();
}

export function arrive(): void {
  route.value = parseRoute(location.pathname, location.search);
  if (!wide.peek()) sidebar.value = false;
  if (route.value.kind === "chat") void openConversation(route.value.conversation);
  else viewer.value = null;
}

export function openCitation(citations: Citation[], n: number, from: HTMLElement | null): void {
  // A row of the catalogue has no page to open: its card says all of it.
  citations = citations.filter((citation) => !citation.row);
  const index = citations.findIndex((citation) => citation.n === n);
  if (index < 0) return;
  opener = from;
  // Two columns have no room for the list: it comes back when the document is closed.
  if (!viewer.peek()) {
    listBefore = sidebar.peek();
    if (!widest.peek()) sidebar.value = false;
  }
  viewer.value = { citations, index };
}

export function closeViewer(): void {
  viewer.value = null;
  if (wide.peek() && listBefore) sidebar.value = true;
  const back = opener;
  opener = null;
  // After the chat is no longer inert.
  requestAnimationFrame(() => back?.focus());
}

export function toggleSidebar(): void {
  sidebar.value = !sidebar.peek();
  if (wide.peek() && !viewer.peek()) lasting.write("sidebar", sidebar.peek() ? null : "closed");
}

export function refreshAbout(): void {
  api.fetchAbout().then(
    (found) => {
      about.value = found;
    },
    (error: unknown) => {
      trouble.value = error instanceof api.ServerError ? error.message : say.unreachable;
    },
  );
}

export function start(): void {
  sidebar.value = wide.peek() && innerWidth >= 1100 && lasting.read("sidebar") !== "closed";
  addEventListener("popstate", arrive);
  // Conversations also begin elsewhere: in another tab, or on the command line.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void loadConversations();
  });
  refreshAbout();
  void loadConversations();
  arrive();
}
