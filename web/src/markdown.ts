import DOMPurify from "dompurify";
import MarkdownIt from "markdown-it";
import type { ComponentChild, VNode } from "preact";
import { createElement } from "preact";

const md = new MarkdownIt({ html: false, linkify: false, typographer: false, breaks: false })
  // Text comes out of documents: `[1]: …` is not a definition, four blanks are not code, a rule of dashes is no heading.
  .disable(["reference", "code", "lheading", "strikethrough", "entity"]);

// A link is a tag here, whatever it points to; `toNodes` keeps only our own.
md.validateLink = () => true;
md.renderer.rules["image"] = (tokens, index) => md.utils.escapeHtml(tokens[index]?.content ?? "");
md.inline.ruler.before("emphasis", "mark", (state, silent) => {
  const match = /^\{\{(\d{1,4})\}\}/.exec(state.src.slice(state.pos, state.pos + 8));
  if (!match) return false;
  if (!silent) {
    // A mark belongs to the word before it: no line may begin with one.
    state.pending = `${state.pending.trimEnd()}\u2060`;
    state.push("mark", "", 0).content = match[1] ?? "";
  }
  state.pos += match[0].length;
  return true;
});
md.renderer.rules["mark"] = (tokens, index) => `<sup data-n="${tokens[index]?.content ?? ""}"></sup>`;

const TAGS = [
  ..."p br hr strong em code pre blockquote ul ol li a sup h1 h2 h3 h4 h5 h6".split(" "),
  ..."table thead tbody tr th td".split(" "),
];

/** One top-level piece of an answer: a paragraph, list, table or heading. */
export interface Group {
  /** Sanitised HTML; equal HTML means nothing to redraw. */
  html: string;
  /** Numbers of the marks in it, in order. */
  marks: number[];
  /** What it says, without marks, on one line. */
  text: string;
}

/** The top-level pieces of a Markdown text. Sanitised: no image, no script, no style, no element with an address but a link. */
export function groups(markdown: string): Group[] {
  const env = {};
  const tokens = md.parse(markdown, env);
  const found: Group[] = [];
  let start = 0;
  let depth = 0;
  tokens.forEach((token, index) => {
    depth += token.nesting;
    if (depth > 0) return;
    const piece = tokens.slice(start, index + 1);
    start = index + 1;
    const html = sanitise(md.renderer.render(piece, md.options, env)).trim();
    const marks = [...html.matchAll(/data-n="(\d+)"/g)].map((match) => Number(match[1]));
    found.push({ html, marks, text: textOf(html) });
  });
  return found;
}

function textOf(html: string): string {
  const template = document.createElement("template");
  template.innerHTML = html;
  for (const mark of template.content.querySelectorAll("[data-n]")) mark.remove();
  return (template.content.textContent ?? "").replaceAll("\u2060", "").replace(/\s+/g, " ").trim();
}

const cache = new Map<string, string>();

function sanitise(html: string): string {
  let clean = cache.get(html);
  if (clean === undefined) {
    clean = DOMPurify.sanitize(html, { ALLOWED_TAGS: TAGS, ALLOWED_ATTR: ["href", "data-n", "start"], ALLOW_DATA_ATTR: false });
    if (cache.size > 2000) cache.clear();
    cache.set(html, clean);
  }
  return clean;
}

/**
 * Sanitised HTML as nodes of the page, so that a growing paragraph keeps the nodes it has (no flicker, focus stays).
 *
 * `mark` draws a citation mark. Headings go down two levels: the question above them is the page's second level.
 */
export function toNodes(html: string, mark: (n: number, key: number) => VNode): ComponentChild[] {
  const body = new DOMParser().parseFromString(html, "text/html").body;
  return [...body.childNodes].map((node, index) => toNode(node, index, mark));
}

function toNode(node: Node, key: number, mark: (n: number, key: number) => VNode): ComponentChild {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (node.nodeType !== Node.ELEMENT_NODE) return null;
  const element = node as Element;
  const name = element.tagName.toLowerCase();
  const children = [...element.childNodes].map((child, index) => toNode(child, index, mark));
  if (name === "sup" && element.hasAttribute("data-n")) return mark(Number(element.getAttribute("data-n")), key);
  if (name === "a") {
    const href = element.getAttribute("href") ?? "";
    return isOwn(href) ? createElement("a", { key, href }, ...children) : createElement("span", { key }, ...children);
  }
  if (name === "table") {
    const columns = element.querySelector("tr")?.children.length ?? 1;
    const table = createElement("table", { style: { "--columns": columns } }, ...children);
    return createElement("div", { key, class: "scroll", tabIndex: 0, role: "group" }, table);
  }
  const heading = /^h([1-6])$/.exec(name);
  if (heading) return createElement(`h${Math.min(6, Number(heading[1]) + 2)}`, { key }, ...children);
  const start = element.getAttribute("start");
  return createElement(name, start ? { key, start: Number(start) } : { key }, ...children);
}

/** An address on this server. `//host` and `/\host` are other hosts to a browser. */
export const isOwn = (href: string): boolean => /^\/(?![/\\])/.test(href);

/** The address if it is on this server, else the page that it stands on. */
export const ownAddress = (href: string): string => (isOwn(href) ? href : "#");

/** A Markdown text as plain lines: marks as `[n]`, list items with `- `, table cells apart by ` | `. */
export function plainText(markdown: string): string {
  return groups(markdown)
    .map(({ html }) => {
      const body = new DOMParser().parseFromString(html, "text/html").body;
      return plain(body).trim();
    })
    .filter(Boolean)
    .join("\n\n");
}

function plain(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return (node.textContent ?? "").replaceAll("\u2060", "");
  const inside = () => [...node.childNodes].map(plain).join("");
  if (node.nodeType !== Node.ELEMENT_NODE) return inside();
  const element = node as Element;
  switch (element.tagName.toLowerCase()) {
    case "sup":
      return element.hasAttribute("data-n") ? ` [${element.getAttribute("data-n")}]` : inside();
    case "br":
      return "\n";
    case "li": {
      const list = element.parentElement;
      const position = [...(list?.children ?? [])].indexOf(element);
      const bullet = list?.tagName === "OL" ? `${Number(list.getAttribute("start") ?? 1) + position}. ` : "- ";
      return `${bullet}${inside().trim().replace(/\n/g, "\n  ")}\n`;
    }
    case "ul":
    case "ol":
      return element.parentElement?.tagName === "LI" ? `\n${[...element.children].map(plain).join("")}` : [...element.children].map(plain).join("");
    case "tr":
      return `${[...element.children].map((cell) => plain(cell).trim()).join(" | ")}\n`;
    case "table":
    case "thead":
    case "tbody":
      return [...element.children].map(plain).join("");
    case "p":
      return `${inside()}\n`;
    default:
      return inside();
  }
}
