import type { Box } from "../wire.ts";

/** The part of pdf.js' PageViewport that is needed here. */
export interface Viewport {
  width: number;
  height: number;
  convertToViewportPoint(x: number, y: number): number[];
}

/** A rectangle in percent of the page as it is shown, so that it fits at every zoom. */
export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Where a box of the unrotated MediaBox lies on the page as shown; null when it lies outside the CropBox. */
export function areaOf(box: Box, viewport: Viewport): Area | null {
  const [ax = 0, ay = 0] = viewport.convertToViewportPoint(box[0], box[1]);
  const [bx = 0, by = 0] = viewport.convertToViewportPoint(box[2], box[3]);
  const clamp = (value: number, most: number) => Math.min(Math.max(value, 0), most);
  const left = clamp(Math.min(ax, bx), viewport.width);
  const right = clamp(Math.max(ax, bx), viewport.width);
  const top = clamp(Math.min(ay, by), viewport.height);
  const bottom = clamp(Math.max(ay, by), viewport.height);
  if (right - left <= 0 || bottom - top <= 0) return null;
  return {
    left: (left / viewport.width) * 100,
    top: (top / viewport.height) * 100,
    width: ((right - left) / viewport.width) * 100,
    height: ((bottom - top) / viewport.height) * 100,
  };
}

/** Up to this width (CSS pixels) a whole page is too small to read: the cited passage fills the width instead. */
const NARROW = 520;

/** How much larger than the whole page's width the cited passage may be shown, in a frame of that many pixels. */
export function closerBy(areas: readonly Area[], width: number): number {
  if (!areas.length || width > NARROW) return 1;
  const left = Math.min(...areas.map((area) => area.left));
  const right = Math.max(...areas.map((area) => area.left + area.width));
  return Math.max(1, Math.min(1.9, 100 / (right - left + 8)));
}
