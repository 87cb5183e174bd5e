import { deflateRawSync, deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { bytesOf } from '../test/bytes.js';
import { servedInline } from './served-inline.js';
import { sniff } from './sniff.js';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const join = (...parts: (string | readonly number[] | Uint8Array)[]): Uint8Array =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)))),
  );
const u16 = (value: number): number[] => [value >> 8, value & 255];
const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value & 65_535)];

const png = join(
  [0x89],
  'PNG\r\n\x1a\n',
  u32(13),
  'IHDR',
  u32(640),
  u32(480),
  [8, 6, 0, 0, 0, 0, 0, 0, 0],
  u32(10),
  'IDAT',
  deflateSync(new Uint8Array(10)),
);
const gif = join('GIF89a', [0x40, 1, 0xf0, 0, 0, 0, 0]);

/** A JPEG of 4000 by 3000 pixels whose size stands behind `before` bytes of metadata. */
function jpeg(before: number, orientation = 1): Uint8Array {
  const exif = join(
    'Exif\0\0MM\0*',
    u32(8),
    u16(1),
    u16(274),
    u16(3),
    u32(1),
    u16(orientation),
    u16(0),
    u32(0),
    new Uint8Array(before),
  );
  const frame = join([0xff, 0xc0], u16(11), [8], u16(3_000), u16(4_000), [1, 1, 0x11, 0]);
  return join([0xff, 0xd8, 0xff, 0xe1], u16(exif.length + 2), exif, frame, new Uint8Array(100));
}

/** A ZIP archive with one file, as office programs write it first. */
function zip(name: string, content: string): Uint8Array {
  const data = deflateRawSync(text(content));
  const little = (value: number, count: number): number[] =>
    Array.from({ length: count }, (_, at) => (value >>> (8 * at)) & 255);
  const sizes = [...little(0, 4), ...little(data.length, 4), ...little(content.length, 4)];
  return join(
    'PK\x03\x04',
    little(20, 2),
    little(0, 2),
    little(8, 2),
    little(0, 4),
    sizes,
    little(name.length, 2),
    [0, 0],
    name,
    data,
  );
}

const size = (width: number, height: number) => ({ width, height });

describe('sniff', () => {
  it.each<[string, Uint8Array, string, object]>([
    ['PNG', png, 'a.jpg', { contentType: 'image/png', dimensions: size(640, 480) }],
    ['GIF', gif, '', { contentType: 'image/gif', dimensions: size(320, 240) }],
    ['JPEG', jpeg(0), '', { contentType: 'image/jpeg', dimensions: size(4_000, 3_000) }],
    ['JPEG with much metadata', jpeg(60_000), '', { contentType: 'image/jpeg', dimensions: size(4_000, 3_000) }],
    ['JPEG of a camera on its side', jpeg(0, 6), '', { contentType: 'image/jpeg', dimensions: size(3_000, 4_000) }],
    ['JPEG that is cut off', jpeg(0).subarray(0, 20), '', { contentType: 'image/jpeg' }],
    ['PDF', text('%PDF-1.7\n'), 'a.txt', { contentType: 'application/pdf' }],
    ['ZIP', zip('a.txt', 'hello'), '', { contentType: 'application/zip' }],
    [
      'ZIP that is named so',
      zip('a.txt', 'hello'),
      'A.DOCX',
      { contentType: `application/vnd.openxmlformats-officedocument.wordprocessingml.document` },
    ],
    [
      'SVG',
      text('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="20"></svg>'),
      '',
      { contentType: 'image/svg+xml', dimensions: size(10, 20) },
    ],
    [
      'SVG as a picture of another type',
      text('<?xml version="1.0"?>\n<svg viewBox="0 0 3 4"></svg>'),
      'a.png',
      { contentType: 'image/svg+xml' },
    ],
    ['XML', text('<?xml version="1.0"?><feed/>'), 'a.html', { contentType: 'application/xml' }],
    ['HTML', text('<!doctype html><script>alert(1)</script>'), 'a.html', { contentType: 'text/html' }],
    ['HTML by another name', text('<!doctype html><script>alert(1)</script>'), 'a.png', { contentType: 'text/plain' }],
    ['Markdown', text('# Héllo'), 'README.md', { contentType: 'text/markdown' }],
    ['text with a cut character', text('Hé').subarray(0, 2), '', { contentType: 'text/plain' }],
    ['JSON', text('{"a":1}'), 'a.json', { contentType: 'application/json' }],
    ['bytes that are named as text', new Uint8Array([1, 2, 3, 0]), 'a.md', { contentType: 'application/octet-stream' }],
    ['Latin-1', new Uint8Array([72, 0xe9, 72]), 'a.txt', { contentType: 'application/octet-stream' }],
    ['an unknown name', text('a'), 'a.constructor', { contentType: 'text/plain' }],
    ['nothing', new Uint8Array(), '', { contentType: 'text/plain' }],
  ])('knows %s', async (_what, bytes, name, expected) => {
    expect(await sniff(bytes, name)).toMatchObject(expected);
  });

  it('says no dimensions where the head has none', async () => {
    expect(await sniff(jpeg(0).subarray(0, 20))).toEqual({ contentType: 'image/jpeg' });
    expect(await sniff(png.subarray(0, 18))).not.toHaveProperty('dimensions');
  });

  it('comes to an end soon, whatever follows a known beginning', async () => {
    const starts = [
      png,
      gif,
      jpeg(0),
      jpeg(500),
      zip('[Content_Types].xml', '<Types/>'),
      text('<svg '),
      text('<?xml '),
    ];
    const boxes = ['ftypavif', 'ftypheic', 'ftypjxl ', 'ftypmp42', 'ftypmif1'].map((brand) =>
      join(u32(16), brand, u32(0)),
    );
    const others = [
      'RIFF\x10\0\0\0WEBPVP8 ',
      'BM',
      'II*\0\x08\0\0\0',
      'ID3\x04',
      'OggS',
      '\x1aE\xdf\xa3',
      '0&\xb2u\x8ef\xcf\x11',
    ];
    const began = Date.now();
    for (const start of [...starts, ...boxes, ...others.map((other) => join(other))])
      for (let seed = 1; seed <= 30; seed++) {
        const bytes = join(start.subarray(0, 4 + ((seed * 7) % start.length)), bytesOf((seed * 331) % 9_000, seed));
        const blank = join(start, new Uint8Array(seed * 100));
        for (const head of [bytes, blank]) expect((await sniff(head, 'a.zip')).contentType).toMatch(/^[a-z]+\/\S+/u);
      }
    const repeated = ['<svg ', '<svg "', "<svg a='", '<!--', '<?xml ', '<a ', '\xff'].map((part) =>
      join(part.repeat(13_000)),
    );
    for (const head of repeated) await sniff(head, 'a.svg');
    expect(Date.now() - began).toBeLessThan(10_000);
  });
});

describe('served inline', () => {
  it.each(['image/png', 'IMAGE/JPEG', 'text/plain; charset=utf-8', 'video/mp4', 'audio/ogg; codecs=opus'])(
    '%s',
    (type) => {
      expect(servedInline(type)).toBe(true);
    },
  );

  it.each([
    '',
    'text/html',
    'text/html; charset=utf-8',
    'Text/HTML',
    'application/xhtml+xml',
    'image/svg+xml',
    'application/xml',
    'text/xml',
    'text/javascript',
    'text/css',
    'application/pdf',
    'application/octet-stream',
    'image/png, text/html',
    'text/html; image/png',
    'constructor',
  ])('is not %j', (type) => {
    expect(servedInline(type)).toBe(false);
  });
});
