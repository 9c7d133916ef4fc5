import type { About, Conversation, ConversationNote, DocumentNote, Library, PageNote, SectionNote } from "./wire.ts";

/** What the server said is wrong; the message is a sentence that says what to do. */
export class ServerError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** The sentence in an error response; the status when the body is not ours (a proxy's page, say). */
export async function refusal(response: Response): Promise<ServerError> {
  let message = `${response.status} ${response.statusText}`.trim();
  try {
    const body: unknown = await response.json();
    if (typeof body === "object" && body !== null && "message" in body && typeof body.message === "string") {
      message = body.message;
    }
  } catch {
    // Not JSON: the status line has to do.
  }
  return new ServerError(message, response.status);
}

async function call(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(path, init);
  if (!response.ok) throw await refusal(response);
  return response;
}

const json = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

const part = encodeURIComponent;

export const fetchAbout = async (): Promise<About> => (await call("/api/about")).json();

/** The revisions of one document in the published release, the citable one first; none of one that it does not hold. */
export const fetchRevisions = async (document: string): Promise<DocumentNote[]> =>
  ((await (await call(`/api/documents/${part(document)}/revisions`)).json()) as { documents: DocumentNote[] }).documents;

export const fetchLibrary = async (search: string, offset: number, limit: number): Promise<Library> =>
  (await call(`/api/documents?${new URLSearchParams({ search, offset: String(offset), limit: String(limit) })}`)).json();

export const fetchPages = async (document: string, sha256: string): Promise<PageNote[]> =>
  ((await (await call(`/api/documents/${part(document)}/revisions/${part(sha256)}/pages`)).json()) as { pages: PageNote[] }).pages;

export const fetchSections = async (document: string): Promise<SectionNote[]> =>
  ((await (await call(`/api/documents/${part(document)}/sections`)).json()) as { sections: SectionNote[] }).sections;

export interface ConversationList {
  conversations: ConversationNote[];
  /** What to ask with for those behind them; null at the end. */
  next: string | null;
}

export const fetchConversations = async (search: string, after = ""): Promise<ConversationList> =>
  (await call(`/api/conversations?${new URLSearchParams({ search, after })}`)).json();

export const fetchConversation = async (id: string): Promise<Conversation> =>
  (await call(`/api/conversations/${part(id)}`)).json();

export const renameConversation = (id: string, title: string): Promise<Response> =>
  call(`/api/conversations/${part(id)}`, json("PATCH", { title }));

export const deleteConversation = (id: string): Promise<Response> =>
  call(`/api/conversations/${part(id)}`, { method: "DELETE" });

export const stopAnswer = (id: string): Promise<Response> => call(`/api/answers/${part(id)}/stop`, { method: "POST" });

export const sendFeedback = (id: string, thumbs: "up" | "down", word: string): Promise<Response> =>
  call(`/api/answers/${part(id)}/feedback`, json("POST", word ? { thumbs, word } : { thumbs }));

export const fileAddress = (document: string, sha256: string): string =>
  `/api/documents/${part(document)}/revisions/${part(sha256)}/file`;
