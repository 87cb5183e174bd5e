import { crc32, deflateSync } from 'node:zlib';

function chunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(name, 4, 'latin1');
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), data])));
  return Buffer.concat([head, data, check]);
}

/** A PNG that says it has this size; it has the pixels, all of one color, when it is small. */
export function png(width: number, height: number, color: readonly [number, number, number] = [0, 0, 0]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const row = Buffer.from([0, ...Array.from({ length: Math.min(width, 100) }, () => color).flat()]);
  const data = deflateSync(Buffer.concat(Array.from({ length: Math.min(height, 100) }, () => row)));
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** What begins and ends as a JPEG does. */
export function jpeg(): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 20, 0, 30, 1, 1, 0x11, 0]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), frame, Buffer.alloc(40), Buffer.from([0xff, 0xd9])]);
}
