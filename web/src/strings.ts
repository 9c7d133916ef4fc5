/** Every word of the interface, in the languages it speaks. What the server says (steps, reasons) is shown as it says it. */

import { de } from "./strings/de.ts";
import { en, type Strings } from "./strings/en.ts";
import { fr } from "./strings/fr.ts";
import { nl } from "./strings/nl.ts";

export type { Strings };

export const languages: Record<string, Strings> = { en, nl, fr, de };

/** The first of the reader's languages that the interface speaks; English when it speaks none. */
export function pickLanguage(preferred: readonly string[]): string {
  return preferred.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in languages) ?? "en";
}

export const language = pickLanguage(typeof navigator === "undefined" ? [] : navigator.languages);
export const say: Strings = languages[language] ?? en;
