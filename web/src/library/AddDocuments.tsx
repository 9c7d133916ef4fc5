import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Icon } from "../icons.tsx";
import { beginIndex, type IndexRun, indexRun, upload } from "./upload.ts";
import { words } from "./words.ts";

const POLL_MS = 500;

/** Takes files and shows how far their index run is; `onDone` is called when one has ended well. */
export function AddDocuments({ onDone }: { onDone: () => void }): JSX.Element {
  const sending = useSignal<{ name: string; part: number } | null>(null);
  const run = useSignal<IndexRun | null>(null);
  const problems = useSignal<string[]>([]);
  const over = useSignal(false);
  const busy = sending.value !== null || run.value?.running === true;

  const watch = async () => {
    for (;;) {
      const now = await indexRun();
      run.value = now;
      if (!now?.running) {
        if (now?.result) onDone();
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  const failed = (error: unknown) => {
    problems.value = [...problems.peek(), error instanceof Error ? error.message : String(error)];
  };
  useEffect(() => {
    // A run that was begun before, or by somebody else.
    indexRun().then(
      (now) => {
        if (now?.running) watch().catch(failed);
      },
      () => undefined,
    );
  }, []);

  const take = async (files: File[]) => {
    if (busy || !files.length) return;
    const pdfs = files.filter(({ name }) => /\.pdf$/i.test(name));
    problems.value = files.filter((file) => !pdfs.includes(file)).map(({ name }) => words.onlyPdf(name));
    run.value = null;
    const sent: string[] = [];
    for (const file of pdfs) {
      sending.value = { name: file.name, part: 0 };
      try {
        sent.push(await upload(file, (part) => (sending.value = { name: file.name, part })));
      } catch (error) {
        failed(error);
      }
    }
    sending.value = null;
    if (!sent.length) return;
    try {
      run.value = await beginIndex(sent);
      await watch();
    } catch (error) {
      failed(error);
    }
  };

  return (
    <section class="add" aria-labelledby="add-title">
      <h2 id="add-title">{words.add}</h2>
      <label
        class={over.value ? "drop over" : "drop"}
        onDragOver={(event) => {
          event.preventDefault();
          over.value = true;
        }}
        onDragLeave={() => (over.value = false)}
        onDrop={(event) => {
          event.preventDefault();
          over.value = false;
          void take([...(event.dataTransfer?.files ?? [])]);
        }}
      >
        <Icon name="plus" />
        <span>
          {words.drop}
          <span class="fine">{words.dropHint}</span>
        </span>
        <input
          type="file"
          accept=".pdf,application/pdf"
          multiple
          disabled={busy}
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            event.currentTarget.value = "";
            void take(files);
          }}
        />
      </label>
      <div role="status">
        {sending.value && <Bar text={words.uploading(sending.value.name)} part={sending.value.part} />}
        {run.value && <RunView run={run.value} />}
      </div>
      {problems.value.length > 0 && (
        <div class="trouble" role="alert">
          {problems.value.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      )}
    </section>
  );
}

function Bar({ text, part }: { text: string; part: number }): JSX.Element {
  return (
    <label class="progress">
      <span>{text}</span>
      <progress value={part} max={1} />
    </label>
  );
}

function RunView({ run }: { run: IndexRun }): JSX.Element {
  if (run.running) {
    const text = `${words.indexing(run.files.length)}: ${words.stages[run.stage] ?? run.stage}`;
    return <Bar text={text} part={run.of ? Math.min(1, run.done / run.of) : 0} />;
  }
  if (!run.result) {
    return (
      <p class="trouble">
        {words.failed} {run.error}
      </p>
    );
  }
  return (
    <>
      <p>{run.result.published ? words.done : words.unchanged}</p>
      <ul class="run">
        {run.result.documents
          .filter(({ source }) => run.files.includes(source))
          .map((document) => (
            <li key={document.source}>
              <strong>{document.source}</strong> {words.statuses[document.status] ?? document.status}
              {document.reason && `: ${document.reason}`}
              {document.pages_not_text.length > 0 && `; ${words.withoutText(document.pages_not_text.length)}`}
            </li>
          ))}
      </ul>
    </>
  );
}
