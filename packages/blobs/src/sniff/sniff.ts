import { fileTypeFromBuffer } from 'file-type';
import { HEAD_BYTES } from '../port/limits.js';
import { type Dimensions, dimensionsOf } from './dimensions.js';
import { refine, textTypeOf } from './names.js';
import { asText, isSvg } from './text.js';

/** What the first bytes of a file tell about it. */
export interface Sniffed {
  /** A media type; `application/octet-stream` when nothing is known. Texts are UTF-8. */
  readonly contentType: string;
  /** Of images whose head tells it. */
  readonly dimensions?: Dimensions;
}

/**
 * The content type of a file by its first bytes (at most `HEAD_BYTES` are looked at). The file name only decides where
 * bytes cannot: among texts, and among files that begin like an archive. Never throws. What it answers may be an active
 * type such as `text/html`: ask `servedInline` before it is served.
 */
export async function sniff(head: Uint8Array, name = ''): Promise<Sniffed> {
  // A copy, as readers of images look beyond the end of a part of a buffer.
  const bytes = new Uint8Array(head.subarray(0, HEAD_BYTES));
  const contentType = await typeOf(bytes, name);
  const dimensions = dimensionsOf(contentType, bytes);
  return dimensions === undefined ? { contentType } : { contentType, dimensions };
}

async function typeOf(bytes: Uint8Array, name: string): Promise<string> {
  const known = await fromBytes(bytes);
  if (known !== undefined && known !== XML) return refine(known, name);
  const text = asText(bytes);
  if (text === undefined) return known ?? 'application/octet-stream';
  if (isSvg(text)) return 'image/svg+xml';
  return known ?? textTypeOf(name);
}

const XML = 'application/xml';

async function fromBytes(bytes: Uint8Array): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(bytes))?.mime;
  } catch {
    return undefined;
  }
}
