/**
 * The sheet (from 1) that a reader means by what is typed in the page field; null when there is none.
 *
 * What is printed on the page comes first: in a book with front matter "1" is the sheet labelled 1, not the cover. Of
 * several sheets with one label the next one from `current` on is meant. A number that no sheet carries is a sheet index.
 */
export function sheetOf(typed: string, labels: readonly string[] | null, count: number, current: number): number | null {
  const wanted = typed.trim();
  if (!wanted) return null;
  if (labels) {
    const matching = (same: (label: string) => boolean) =>
      labels.flatMap((label, index) => (index < count && same(label.trim()) ? [index + 1] : []));
    // "I" and "i" may both exist; the exact one is meant first.
    for (const found of [
      matching((label) => label === wanted),
      matching((label) => label.toLowerCase() === wanted.toLowerCase()),
    ]) {
      if (found.length) return found.find((sheet) => sheet >= current) ?? found[0] ?? null;
    }
  }
  if (!/^\d+$/.test(wanted)) return null;
  const sheet = Number(wanted);
  return sheet >= 1 && sheet <= count ? sheet : null;
}
