import { imageSize } from 'image-size';

/** Width and height in pixels as a browser shows the image. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** Images that are asked for their size; the others are no images of a web page. */
const MEASURED: ReadonlySet<string> = new Set([
  'image/apng',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/heic',
  'image/jpeg',
  'image/png',
  'image/svg+xml',
  'image/webp',
]);

/** SVG is searched by expressions whose time grows faster than the text. */
const SVG_BYTES = 4_096;

/** The dimensions of an image, when its head tells them. `head` has a buffer of its own. */
export function dimensionsOf(contentType: string, head: Uint8Array): Dimensions | undefined {
  if (!MEASURED.has(contentType)) return undefined;
  try {
    const { width, height, orientation } = imageSize(contentType === 'image/svg+xml' ? head.slice(0, SVG_BYTES) : head);
    if (!isLength(width) || !isLength(height)) return undefined;
    // From 5 on, the camera lay on its side.
    return (orientation ?? 1) >= 5 ? { width: height, height: width } : { width, height };
  } catch {
    // A damaged image, or one whose size stands further behind, has no dimensions for us.
    return undefined;
  }
}

function isLength(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
