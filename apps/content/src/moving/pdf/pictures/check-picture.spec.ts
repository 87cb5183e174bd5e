import { describe, expect, it } from '@jest/globals';
import { jpeg, png } from '../test/pictures.js';
import { checkPicture } from './check-picture.js';

const svg = (inside: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inside}</svg>`);
const found = (bytes: Buffer) => checkPicture(bytes)?.ending;

describe('a picture', () => {
  it('is known by its bytes', () => {
    expect(found(png(1, 1))).toBe('png');
    expect(found(jpeg())).toBe('jpg');
    expect(found(Buffer.from('GIF89a\u0001\u0000\u0001\u0000......;', 'latin1'))).toBe('gif');
    expect(found(svg('<rect/>'))).toBe('svg');
    expect(found(Buffer.from('#read("/etc/passwd")'))).toBeUndefined();
    expect(found(Buffer.alloc(0))).toBeUndefined();
  });

  it('is none when it is cut off', () => {
    expect(found(png(1, 1).subarray(0, -12))).toBeUndefined();
    expect(found(jpeg().subarray(0, -2))).toBeUndefined();
  });

  it('is none when it becomes too large', () => {
    expect(found(png(7_000, 7_000))).toBe('png');
    expect(found(png(7_200, 7_200))).toBeUndefined();
    expect(found(png(40_000, 1))).toBeUndefined();
    expect(found(png(0, 1))).toBeUndefined();
  });
});

describe('an SVG', () => {
  it.each([
    '<script>alert(1)</script>',
    '<rect onclick="x()"/>',
    '<image href="https://example.org/a.png"/>',
    '<image xlink:href="file:///etc/passwd"/>',
    '<image href="data:image/svg+xml;base64,PHN2Zz4="/>',
    '<foreignObject/>',
    '<style>@import "x.css";</style>',
    '<rect style="fill: url(https://example.org/a)"/>',
    '<use href="other.svg#a"/>',
  ])('that runs or loads something is none: %s', (inside) => {
    expect(found(svg(inside))).toBeUndefined();
  });

  it('with entities is none', () => {
    expect(found(Buffer.from(`<!DOCTYPE svg [<!ENTITY a "b">]>${svg('').toString()}`))).toBeUndefined();
  });

  it('loses its links, and keeps what it draws', () => {
    const picture = checkPicture(svg('<a class="b" href="https://example.org/"><rect fill="url(#g)"/></a>'));
    expect(picture?.bytes.toString()).toContain('<a class="b"><rect fill="url(#g)"/></a>');
  });

  it('that repeats itself too often, or contains itself, is none', () => {
    const levels = Array.from(
      { length: 8 },
      (_, level) => `<g id="l${level + 1}">${`<use href="#l${level}"/>`.repeat(10)}</g>`,
    );
    expect(found(svg(`<defs><rect id="l0"/>${levels.join('')}</defs><use href="#l8"/>`))).toBeUndefined();
    expect(found(svg('<g id="a"><use href="#a"/></g>'))).toBeUndefined();
    expect(found(svg('<rect id="a"/><use href="#a"/><use href="#a"/>'))).toBe('svg');
  });
});
