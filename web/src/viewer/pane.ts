import * as pdfjs from "pdfjs-dist";
// After pdfjs-dist: it finds the engine on the global object.
import { EventBus, FindState, PDFFindController, PDFLinkService, PDFViewer } from "pdfjs-dist/web/pdf_viewer.mjs";
import workerAddress from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import type { CitedPage } from "../wire.ts";
import { areaOf, closerBy } from "./geometry.ts";

pdfjs.GlobalWorkerOptions.workerSrc = workerAddress;

const RESOURCES = "/assets/pdfjs";

export interface PaneState {
  page: number;
  count: number;
  /** Printed labels as the file gives them; null when it gives none. */
  labels: string[] | null;
}

/** A heading of the file's own outline and where it leads; null when the file does not say. */
export interface Heading {
  title: string;
  go: (() => void) | null;
  inside: Heading[];
}

/** What a search in the document found so far. */
export interface Found {
  /** From 1; 0 while there is none. */
  at: number;
  count: number;
  /** Pages are still being read. */
  searching: boolean;
}

/** One document in a scrolling element, with the cited passage marked. */
export class Pane {
  readonly #viewer: PDFViewer;
  readonly #links: PDFLinkService;
  readonly #container: HTMLDivElement;
  readonly #onState: (state: PaneState) => void;
  readonly #events = new EventBus();
  readonly #finder: PDFFindController;
  readonly #onResize: ResizeObserver;
  readonly #pages: HTMLDivElement;
  #loading: pdfjs.PDFDocumentLoadingTask | null = null;
  #document: pdfjs.PDFDocumentProxy | null = null;
  #labels: string[] | null = null;
  #cited: readonly CitedPage[] = [];
  #opening = 0;
  #fit = true;
  #onFound: (found: Found) => void = () => undefined;
  /** The reader has moved: no more scrolling by itself. */
  #moved = false;

  constructor(container: HTMLDivElement, pages: HTMLDivElement, onState: (state: PaneState) => void) {
    this.#container = container;
    this.#pages = pages;
    this.#onState = onState;
    const eventBus = this.#events;
    this.#links = new PDFLinkService({ eventBus });
    // A document may link where it likes; this page opens nothing but its own server.
    this.#links.externalLinkEnabled = false;
    this.#finder = new PDFFindController({ eventBus, linkService: this.#links, delay: 150 });
    this.#viewer = new PDFViewer({
      container,
      viewer: pages,
      eventBus,
      linkService: this.#links,
      findController: this.#finder,
      removePageBorders: true,
      enableAutoLinking: false,
      annotationMode: pdfjs.AnnotationMode.ENABLE,
    });
    this.#links.setViewer(this.#viewer);
    eventBus.on("pagesinit", () => {
      this.#viewer.currentScaleValue = "page-width";
    });
    eventBus.on("pagechanging", () => this.#tell());
    eventBus.on("pagerendered", ({ pageNumber }: { pageNumber: number }) => void this.#mark(pageNumber));
    eventBus.on("updatefindmatchescount", ({ matchesCount }: { matchesCount: { current: number; total: number } }) =>
      this.#onFound({ at: matchesCount.current, count: matchesCount.total, searching: matchesCount.total === 0 }),
    );
    eventBus.on("updatefindcontrolstate", ({ state, matchesCount }: { state: number; matchesCount: { current: number; total: number } }) =>
      this.#onFound({ at: matchesCount.current, count: matchesCount.total, searching: state === FindState.PENDING }),
    );
    this.#onResize = new ResizeObserver(() => {
      // An element that is being taken away is measured once more, as nothing.
      if (!this.#document || !container.clientWidth) return;
      if (this.#fit && this.#moved) this.#viewer.currentScaleValue = "page-width";
      this.#viewer.update();
      if (!this.#moved) void this.#scrollToCited();
    });
    this.#onResize.observe(container);
    for (const gesture of ["wheel", "touchstart", "pointerdown", "keydown"]) {
      container.addEventListener(gesture, () => (this.#moved = true), { passive: true });
    }
  }

  /** Opens a file. Rejects when it cannot be had or read. */
  async open(address: string, cited: readonly CitedPage[]): Promise<void> {
    this.#opening += 1;
    const opening = this.#opening;
    await this.#drop();
    this.#cited = cited;
    this.#moved = false;
    const large = await isLarge(address);
    if (opening !== this.#opening) return;
    const loading = pdfjs.getDocument({
      url: address,
      cMapUrl: `${RESOURCES}/cmaps/`,
      cMapPacked: true,
      standardFontDataUrl: `${RESOURCES}/standard_fonts/`,
      wasmUrl: `${RESOURCES}/wasm/`,
      iccUrl: `${RESOURCES}/iccs/`,
      enableXfa: false,
      disableAutoFetch: large,
      disableStream: large,
    });
    this.#loading = loading;
    const file = await loading.promise;
    if (this.#loading !== loading) return;
    this.#document = file;
    this.#labels = await file.getPageLabels();
    if (this.#loading !== loading) return;
    this.#viewer.setDocument(file);
    this.#links.setDocument(file);
    if (this.#labels) this.#viewer.setPageLabels(this.#labels);
    await this.#viewer.firstPagePromise;
    this.#tell();
    await this.#scrollToCited();
    // Sheets of other sizes move those behind them once they are known.
    void (this.#viewer.pagesPromise as Promise<void> | null)?.then(() => {
      if (this.#loading === loading && !this.#moved) void this.#scrollToCited();
    });
  }

  /** Marks another passage of the document that is open. */
  async show(cited: readonly CitedPage[]): Promise<void> {
    this.#cited = cited;
    this.#moved = false;
    for (const old of this.#pages.querySelectorAll(".highlights")) old.remove();
    for (const { page } of cited) if (this.#viewer.getPageView(page - 1)?.renderingState === 3) await this.#mark(page);
    await this.#scrollToCited();
  }

  goTo(page: number): void {
    this.#moved = true;
    this.#viewer.currentPageNumber = page;
  }

  /** Searches the text of all pages; "" ends the search. Results come to `onFound`, more of them as pages are read. */
  find(words: string, direction: "first" | "next" | "previous", onFound: (found: Found) => void): void {
    this.#moved = true;
    this.#onFound = onFound;
    if (!words) {
      this.#events.dispatch("findbarclose", { source: this });
      return;
    }
    this.#events.dispatch("find", {
      source: this,
      type: direction === "first" ? "" : "again",
      query: words,
      caseSensitive: false,
      entireWord: false,
      matchDiacritics: false,
      highlightAll: true,
      findPrevious: direction === "previous",
    });
  }

  /** The file's own outline; empty when it has none. */
  async outline(): Promise<Heading[]> {
    type Item = Awaited<ReturnType<pdfjs.PDFDocumentProxy["getOutline"]>>[number];
    const heading = ({ title, dest, items }: Item): Heading => ({
      title,
      go: dest ? () => this.#leave(() => void this.#links.goToDestination(dest)) : null,
      inside: (items as Item[]).map(heading),
    });
    // Null when there is none, whatever the published type says.
    return (((await this.#document?.getOutline()) ?? []) as Item[]).map(heading);
  }

  #leave(go: () => void): void {
    this.#moved = true;
    go();
  }

  zoom(steps: number): void {
    this.#fit = false;
    this.#viewer.updateScale({ steps });
  }

  fit(): void {
    this.#fit = true;
    this.#viewer.currentScaleValue = "page-width";
  }

  async close(): Promise<void> {
    this.#opening += 1;
    this.#onResize.disconnect();
    await this.#drop();
  }

  async #drop(): Promise<void> {
    const loading = this.#loading;
    this.#loading = null;
    this.#labels = null;
    if (this.#document) {
      this.#document = null;
      // Null empties the viewer; the published type leaves it out.
      this.#viewer.setDocument(null as unknown as pdfjs.PDFDocumentProxy);
      this.#links.setDocument(null as unknown as pdfjs.PDFDocumentProxy);
    }
    await loading?.destroy();
  }

  #tell(): void {
    this.#onState({ page: this.#viewer.currentPageNumber, count: this.#viewer.pagesCount, labels: this.#labels });
  }

  async #areas(page: number) {
    const boxes = this.#cited.filter((each) => each.page === page).flatMap((each) => each.boxes);
    if (!boxes.length || !this.#document || page > this.#document.numPages) return [];
    const viewport = (await this.#document.getPage(page)).getViewport({ scale: 1 });
    return boxes.map((box) => areaOf(box, viewport)).filter((area) => area !== null);
  }

  async #mark(page: number): Promise<void> {
    const cited = this.#cited;
    const areas = await this.#areas(page);
    const sheet: HTMLElement | undefined = this.#viewer.getPageView(page - 1)?.div;
    if (!sheet || cited !== this.#cited) return;
    sheet.querySelector(".highlights")?.remove();
    if (!areas.length) return;
    const layer = document.createElement("div");
    layer.className = "highlights";
    layer.setAttribute("aria-hidden", "true");
    for (const area of areas) {
      const mark = document.createElement("div");
      mark.className = "highlight";
      for (const side of ["left", "top", "width", "height"] as const) mark.style[side] = `${area[side]}%`;
      layer.append(mark);
    }
    // Above the picture, below the text: the text stays selectable.
    sheet.querySelector(".canvasWrapper")?.after(layer);
  }

  async #scrollToCited(): Promise<void> {
    const first = this.#cited[0];
    if (!first) return;
    const page = Math.min(Math.max(1, first.page), this.#viewer.pagesCount);
    const areas = await this.#areas(page);
    const sheet: HTMLElement | undefined = this.#viewer.getPageView(page - 1)?.div;
    if (!sheet || first !== this.#cited[0]) return;
    // The width to fit is that of the sheet that is shown: one document may hold A4 and A3.
    this.#viewer.currentPageNumber = page;
    if (this.#fit) {
      this.#viewer.currentScaleValue = "page-width";
      this.#viewer.currentScale *= closerBy(areas, this.#container.clientWidth);
    }
    const top = areas.length ? Math.min(...areas.map((area) => area.top)) : 0;
    const context = areas.length ? this.#container.clientHeight * 0.25 : 0;
    this.#container.scrollTop = sheet.offsetTop + (sheet.clientHeight * top) / 100 - context;
    const spare = this.#container.clientWidth - sheet.clientWidth;
    const left = areas.length && spare < 0 ? (sheet.clientWidth * Math.min(...areas.map((area) => area.left))) / 100 - 12 : 0;
    this.#container.scrollLeft = sheet.offsetLeft + left - Math.max(0, spare / 2);
  }
}

/** From so many bytes on only what the shown pages need is loaded; below, the whole file is there sooner at once. */
const LARGE = 8_000_000;

async function isLarge(address: string): Promise<boolean> {
  try {
    const response = await fetch(address, { method: "HEAD" });
    return response.headers.get("Accept-Ranges") === "bytes" && Number(response.headers.get("Content-Length")) > LARGE;
  } catch {
    return false; // Whatever is wrong shows when the file itself is asked for.
  }
}
