import { readFileSync } from "node:fs";
import fc from "fast-check";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { describe, expect, it } from "vitest";
import { areaOf, closerBy } from "../src/viewer/geometry.ts";
import { sheetOf } from "../src/viewer/labels.ts";
import type { Box } from "../src/wire.ts";

describe("what is typed in the page field", () => {
  const labels = ["i", "ii", "iii", "iv", "", "", "1", "2", "A-3", "2"];

  it.each([
    ["1", 7],
    ["iv", 4],
    ["IV", 4],
    ["a-3", 9],
    ["5", 5],
    ["10", 10],
    [" ii ", 2],
    ["11", null],
    ["0", null],
    ["", null],
    ["-1", null],
    ["1.5", null],
  ])("%j is sheet %j", (typed, sheet) => {
    expect(sheetOf(typed, labels, 10, 1)).toBe(sheet);
  });

  it("means the next of several sheets with one label, and begins again behind the last", () => {
    expect(sheetOf("2", labels, 10, 9)).toBe(10);
    expect(sheetOf("2", labels, 10, 8)).toBe(8);
    expect(sheetOf("1", labels, 10, 9)).toBe(7);
  });

  it("is a sheet where the file has no labels", () => {
    expect(sheetOf("3", null, 4, 1)).toBe(3);
    expect(sheetOf("iv", null, 4, 1)).toBeNull();
  });

  it("is always a sheet of the document, or none", () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), fc.integer({ min: 1, max: 99 }), (typed, given, count) => {
        const sheet = sheetOf(typed, given, count, 1);
        return sheet === null || (sheet >= 1 && sheet <= count);
      }),
    );
  });
});

describe("where a box lies on the page", async () => {
  const recording = JSON.parse(readFileSync("dev/recording.json", "utf8")) as { boxes: Record<string, Box> };
  const file = await getDocument({ data: new Uint8Array(readFileSync("dev/rulebook.pdf")), verbosity: 0 }).promise;

  /** The area that pdf.js itself gives for a text of that page, in percent. */
  async function printed(page: number, text: string) {
    const sheet = await file.getPage(page);
    const viewport = sheet.getViewport({ scale: 1 });
    const items = (await sheet.getTextContent()).items.filter((each) => "str" in each);
    const item = items.find((each) => each.str === text);
    if (!item) throw new Error(`page ${page} does not print ${text}`);
    const [, , , , x = 0, y = 0] = item.transform as number[];
    // From the start of the base line to its end, along the direction of writing.
    const [cos = 1, sin = 0] = (item.transform as number[]).map((value) => value / item.height);
    const corners = [viewport.convertToViewportPoint(x, y), viewport.convertToViewportPoint(x + cos * item.width, y + sin * item.width)];
    return corners.map(([px = 0, py = 0]) => [(px / viewport.width) * 100, (py / viewport.height) * 100] as const);
  }

  it.each([
    ["on a plain page", 3, "3.1 0", "A cardholder may pay with a refrigerator that is enrolled as a device."],
    ["on a page that is turned by 90°", 5, "turned", "A washing machine that turns at 1450 rpm is no terminal."],
    ["on a page that is cropped", 6, "cropped", "Inside the crop box: an oven pays like a refrigerator."],
    ["on an A3 sheet", 7, "wide", "The plan of the kitchen is printed on A3, landscape."],
  ])("%s, the base line of the text is in it and the line above is not", async (_, page, key, text) => {
    const viewport = (await file.getPage(page)).getViewport({ scale: 1 });
    const area = areaOf(recording.boxes[key] as Box, viewport);
    const [from, to] = await printed(page, text);

    expect(area).not.toBeNull();
    if (!area || !from || !to) return;
    for (const [x, y] of [from, to]) {
      expect(x).toBeGreaterThanOrEqual(area.left - 0.2);
      expect(x).toBeLessThanOrEqual(area.left + area.width + 0.2);
      expect(y).toBeGreaterThan(area.top);
      expect(y).toBeLessThan(area.top + area.height);
    }
    // One line of 11 points and no more.
    expect((area.height / 100) * viewport.height).toBeCloseTo(0.98 * 11, 1);
  });

  it("is nowhere when it lies outside the crop box", async () => {
    const viewport = (await file.getPage(6)).getViewport({ scale: 1 });

    expect(areaOf(recording.boxes["crop mark"] as Box, viewport)).toBeNull();
  });

  it("is the same at every zoom, and never beyond the page", async () => {
    const sheet = await file.getPage(5);
    const side = fc.double({ min: -900, max: 1800, noNaN: true });
    fc.assert(
      fc.property(side, side, side, side, fc.double({ min: 0.2, max: 5, noNaN: true }), (x0, y0, x1, y1, scale) => {
        const box: Box = [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
        const plain = areaOf(box, sheet.getViewport({ scale: 1 }));
        const zoomed = areaOf(box, sheet.getViewport({ scale }));
        if (!plain || !zoomed) return true;
        const inside = plain.left >= 0 && plain.top >= 0 && plain.left + plain.width <= 100.001 && plain.top + plain.height <= 100.001;
        return inside && Math.abs(plain.left - zoomed.left) < 1e-6 && Math.abs(plain.height - zoomed.height) < 1e-6;
      }),
    );
  });
});

it("comes closer to a passage on a narrow screen only", () => {
  const column = [{ left: 10, top: 0, width: 40, height: 2 }];

  expect(closerBy(column, 1000)).toBe(1);
  expect(closerBy([], 360)).toBe(1);
  expect(closerBy(column, 360)).toBe(1.9);
  expect(closerBy([{ left: 5, top: 0, width: 90, height: 2 }], 360)).toBeCloseTo(100 / 98);
});
