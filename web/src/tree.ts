import type { SectionNote } from "./wire.ts";

/** A section with those inside it. */
export interface SectionTree {
  title: string;
  path: string[];
  /** First sheet it is printed on; null when that is not known. */
  sheet: number | null;
  inside: SectionTree[];
}

/** Paths in reading order as a tree; a section whose parent is not listed stands at the root. */
export function treeOf(sections: readonly SectionNote[]): SectionTree[] {
  const root: SectionTree[] = [];
  const known = new Map<string, SectionTree>();
  for (const { path, title, pages } of sections) {
    const node: SectionTree = { title, path, sheet: pages[0] ?? null, inside: [] };
    known.set(JSON.stringify(path), node);
    (known.get(JSON.stringify(path.slice(0, -1)))?.inside ?? root).push(node);
  }
  return root;
}
