import { render } from "preact";
import { beforeEach, describe, expect, it } from "vitest";
import { joinBlocks } from "../src/join.ts";
import { groups, isOwn, plainText, toNodes } from "../src/markdown.ts";

let page: HTMLElement;
beforeEach(() => {
  page = document.createElement("div");
});

function show(blocks: string[]): HTMLElement {
  const nodes = groups(joinBlocks(blocks)).map(({ html }) =>
    toNodes(html, (n, key) => (
      <button key={`mark ${key}`} type="button">
        {n}
      </button>
    )),
  );
  render(<>{nodes}</>, page);
  return page;
}

describe("marks", () => {
  it("become buttons, at the word before them", () => {
    show(["The fee is 0.20 %. {{1}} {{12}}"]);

    expect([...page.querySelectorAll("button")].map((button) => button.textContent)).toEqual(["1", "12"]);
    expect(page.textContent).toBe("The fee is 0.20 %.\u20601\u206012");
  });

  it("are told by group, in order", () => {
    expect(groups("A {{2}} {{1}}\n\n- B {{3}}").map(({ marks }) => marks)).toEqual([[2, 1], [3]]);
  });

  it("do not collide with brackets and braces of a document", () => {
    show(["Q [m³/h] {1} [1] {{x}} [km/h]{{7}}"]);

    expect(page.querySelectorAll("button")).toHaveLength(1);
    expect(page.textContent).toContain("Q [m³/h] {1} [1] {{x}} [km/h]");
  });
});

describe("what documents print", () => {
  it.each([
    "Q [m³/h]: 12",
    "€ 12,50 – $15 and $3",
    "TRX_0042_A and FR<200> and a<b>c",
    "[1]: a line that looks like a definition",
    "5 * 3 * 2 = 30",
    "~~5 bar~~",
    "AT&amp;T",
    "1/2\" ± 5 % ≤ 16 × 10⁻³",
  ])("stays as it is: %s", (text) => {
    expect(show([text]).textContent).toBe(text);
  });

  it("stays as it is in a cell with a bar", () => {
    show(["| a \\| b | TRX_1_2 |\n| --- | --- |"]);

    expect([...page.querySelectorAll("th")].map((cell) => cell.textContent)).toEqual(["a | b", "TRX_1_2"]);
  });
});

describe("nothing from outside gets in", () => {
  it.each([
    "<img src=x onerror=alert(1)>",
    "![x](https://elsewhere.example/pixel.png)",
    "[x](javascript:alert(1))",
    "[x](//elsewhere.example)",
    "[x](/\\elsewhere.example)",
    "[x](data:text/html,1)",
    "<https://elsewhere.example>",
    "<script>alert(1)</script>",
    "<svg><animate onbegin=alert(1)></svg>",
    "{{1\" onclick=\"x}}",
    "<sup data-n=\"1\" onclick=\"x\">1</sup>",
  ])("with %s", (text) => {
    show([text]);

    expect(page.querySelector("img, script, svg, iframe, object, style, [onclick], [onerror], [src]")).toBeNull();
    for (const link of page.querySelectorAll("a")) expect(isOwn(link.getAttribute("href") ?? "")).toBe(true);
  });

  it("but a link to a page of this server is one", () => {
    expect(show(["[the plan](/view/plan/abc?page=2)"]).querySelector("a")?.getAttribute("href")).toBe("/view/plan/abc?page=2");
  });
});

it("keeps the nodes of a paragraph that grows", () => {
  const blocks = ["A pays. {{1}}", " B pays. {{1}}", "\n\n- C {{2}}", "\n- D {{2}}"];
  show(blocks.slice(0, 1));
  const paragraph = page.querySelector("p");
  const button = page.querySelector("button");

  show(blocks.slice(0, 2));
  show(blocks.slice(0, 3));
  const item = page.querySelector("li");
  show(blocks);

  expect(page.querySelector("p")).toBe(paragraph);
  expect(page.querySelector("button")).toBe(button);
  expect(page.querySelector("li")).toBe(item);
});

it("is told as text with lists, rows and numbers", () => {
  const text = plainText("## Fees\n\nThe fee is 1 %. {{1}}\n\n- A {{2}}\n- B\n\n3. C\n\n| a \\| b | c |\n| - | - |\n| d | e {{1}} |");

  expect(text).toBe("Fees\n\nThe fee is 1 %. [1]\n\n- A [2]\n- B\n\n3. C\n\na | b | c\nd | e [1]");
});
