import { checkSvg } from './check-svg.js';

/** What a picture is found to be: the ending of its name, and its bytes. */
export interface FoundPicture {
  ending: 'png' | 'jpg' | 'gif' | 'webp' | 'svg';
  bytes: Buffer;
}

/** Pixels that a picture has when it is decoded, at most. */
const mostPixels = 50_000_000;
const mostSide = 30_000;

/**
 * Looks whether bytes are a picture that the layout can take: whole, not larger than a page needs, and without anything
 * that runs or loads. `undefined` for what is none.
 */
export function checkPicture(bytes: Buffer): FoundPicture | undefined {
  for (const { ending, look } of kinds) {
    const size = look(bytes);
    if (size === undefined) continue;
    return isFine(size) ? { ending, bytes } : undefined;
  }
  const svg = checkSvg(bytes);
  return svg === undefined ? undefined : { ending: 'svg', bytes: svg };
}

type Size = readonly [width: number, height: number];
/** The size of a picture of one kind; none of it when it is damaged, and `undefined` when it is of another kind. */
type Look = (bytes: Buffer) => Size | undefined;

const damaged: Size = [0, 0];

function isFine([width, height]: Size): boolean {
  return width > 0 && height > 0 && width <= mostSide && height <= mostSide && width * height <= mostPixels;
}

const kinds: readonly { ending: Exclude<FoundPicture['ending'], 'svg'>; look: Look }[] = [
  { ending: 'png', look: png },
  { ending: 'jpg', look: jpeg },
  { ending: 'gif', look: gif },
  { ending: 'webp', look: webp },
];

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function png(bytes: Buffer): Size | undefined {
  if (!bytes.subarray(0, 8).equals(pngStart)) return undefined;
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return damaged;
  // Chunk by chunk, each with its length, to the last one.
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return damaged;
}

function jpeg(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < Math.max(2, bytes.length - 64 * 1024)) return damaged;
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return damaged;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return damaged;
}

function gif(bytes: Buffer): Size | undefined {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return undefined;
  if (bytes.length < 14 || !bytes.subarray(-64).includes(0x3b)) return damaged;
  return [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
}

function webp(bytes: Buffer): Size | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return damaged;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    case 'VP8 ':
      return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
    default:
      return damaged;
  }
}
