import { refusal, ServerError } from "../api.ts";
import { words } from "./words.ts";

export interface IndexedDocument {
  source: string;
  status: string;
  standing: string;
  reason: string;
  pages_not_text: { page: number; verdict: string }[];
}

/** An index run as the server tells of it. */
export interface IndexRun {
  files: string[];
  running: boolean;
  stage: string;
  done: number;
  of: number;
  error: string;
  result: { published: boolean; documents: IndexedDocument[] } | null;
}

/** Sends a file; resolves with the id of the upload. `fetch` does not tell how much was sent. */
export function upload(file: File, onSent: (part: number) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/uploads?${new URLSearchParams({ name: file.name })}`);
    request.setRequestHeader("Content-Type", "application/pdf");
    request.responseType = "json";
    request.upload.onprogress = (event) => event.lengthComputable && onSent(event.loaded / event.total);
    request.onload = () => {
      const said = request.response as { id?: string; message?: string } | null;
      if (request.status === 200 && said?.id) resolve(said.id);
      else reject(new ServerError(said?.message ?? `${request.status} ${request.statusText}`, request.status));
    };
    request.onerror = () => reject(new ServerError(words.brokeOff, 0));
    request.send(file);
  });
}

async function runOf(response: Response): Promise<IndexRun | null> {
  if (!response.ok) throw await refusal(response);
  return ((await response.json()) as { run: IndexRun | null }).run;
}

export const beginIndex = async (uploads: string[]): Promise<IndexRun | null> =>
  runOf(
    await fetch("/api/index", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ uploads }),
    }),
  );

export const indexRun = async (): Promise<IndexRun | null> => runOf(await fetch("/api/index"));
