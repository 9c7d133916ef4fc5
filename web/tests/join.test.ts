import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinBlocks } from "../src/join.ts";
import { groups, plainText } from "../src/markdown.ts";

const html = (blocks: string[]): string => groups(joinBlocks(blocks)).map((group) => group.html.trim()).join("");
const visible = (blocks: string[]): string => {
  const body = new DOMParser().parseFromString(html(blocks), "text/html").body;
  return body.textContent ?? "";
};

describe("blocks without white space of their own", () => {
  it("makes a paragraph of sentences", () => {
    expect(html(["A may pay.", "B may not."])).toBe("<p>A may pay. B may not.</p>");
  });

  it("makes one list of items, apart from the sentence that leads in", () => {
    const list = html(["These pay:", "- A", "- B", "But not C."]);

    expect(list).toContain("<p>These pay:</p><ul>");
    expect(list.match(/<ul>/g)).toHaveLength(1);
    expect(list).toContain("<li>B But not C.</li>");
  });

  it("keeps the second sentence of an item in the item", () => {
    expect(html(["- A pays.", "It is a device.", "- B"])).toContain("<li>A pays. It is a device.</li>");
  });

  it("gives a heading and a table lines of their own", () => {
    const table = html(["## Fees", "| Fee | Rate |", "| --- | --- |", "| Purchase | 0.20 % |", "That is all."]);

    expect(table).toContain("<h2>Fees</h2>");
    expect(table).toContain("<td>0.20 %</td>");
    expect(table).toContain("<p>That is all.</p>");
  });
});

describe("blocks that carry the white space before them", () => {
  it("are the answer's own text", () => {
    const blocks = ["Yes.", " It may.", "\n\nThese pay:", "\n\n- A", "\n- B", "\n\nThat is all."];

    expect(joinBlocks(blocks)).toBe(blocks.join(""));
  });

  it("show in the end what the stored answer shows", () => {
    const unit = fc.oneof(
      fc.constantFrom("A fee of 0.20 % [m³/h].", "€ 12,50 – $15 {{1}}", "x < y_z_w", "**Note** this."),
      fc.constantFrom("\n\n- an item {{2}}", "\n\n## Heading", "\n\n| a | b |\n| - | - |\n| c \\| d | e {{3}} |", "\n| f | g |"),
    );
    const spaced = fc.array(fc.tuple(fc.constantFrom(" ", "\n", "\n\n"), unit).map(([gap, text]) => (text.startsWith("\n") ? text : gap + text)), {
      minLength: 1,
    });

    fc.assert(fc.property(spaced, (blocks) => html(blocks) === html([blocks.join("")])));
  });
});

describe("a reader never sees raw marks", () => {
  const ROWS = Array.from({ length: 40 }, (_, i) => `\n| P${i} \\| ${i % 3 ? "credit" : "debit"} | € ${i},50 – $15 {{${i + 1}}} |`);

  it("in any prefix of a table of forty rows with a citation in each", () => {
    const blocks = ["The fees are:", "\n\n| Fee | Rate |\n| --- | --- |", ...ROWS, "\n\nThat is **all**."];

    for (let k = 1; k <= blocks.length; k += 1) {
      const text = visible(blocks.slice(0, k));
      expect(text.replaceAll(" | ", " ")).not.toMatch(/\||---|\*\*|\{\{/);
    }
    expect(html(blocks).match(/<tr>/g)).toHaveLength(41);
    expect(visible(blocks)).toContain("P39 | debit");
  });

  it("when the delimiter row comes after its header, or not at all", () => {
    expect(html(["| Fee | Rate |"])).toContain("<th>Fee</th>");
    expect(html(["| Fee | Rate |", "\n| --- | --- |"])).toContain("<th>Fee</th>");
    expect(html(["| Fee | Rate |", "\n| Purchase | 1 |"])).toContain("<td>Purchase</td>");
    expect(html(["| Fee | Rate |", "\n| --- |", "\n| Purchase | 1 |"])).toContain("<td>Purchase</td>");
  });

  it("when emphasis spans two sentences", () => {
    expect(visible(["**Note: fees apply."])).toBe("Note: fees apply.");
    expect(visible(["Use `a|b"])).toBe("Use a|b");
  });
});

it("keeps a dash before a number, which may be a minus", () => {
  expect(plainText(joinBlocks(["– 10 °C is the least."]))).toBe("– 10 °C is the least.");
});

it("makes a list of printed bullets", () => {
  expect(html(["• A", "\n• B"])).toContain("<ul>");
});
