import { describe, expect, it } from '@jest/globals';
import { expandLzText } from './lz-text.js';

const request =
  '{"componentId":"hello","props":{"name":"World"},"context":{"type":"document","theme":"light","spaceId":"s","editable":false}}';
const compressed =
  'N4Igxg9gtgDhB2BTeAXAkgExALhAC0QBtCIQAaEGAJwhgGcdR4BDKRHEAdQisKwF8KkVIgAeKRiBQBPGO1wYIYAK5tU5KQTYdCASwDmeCRToxmYRJg4MKiDLpTMARoXkAzZoTqJ+-IA';

describe('a text that LZ-string has compressed for addresses', () => {
  it.each([
    ['BYUwNmD2A0AECWsCGBbZtDUzkA', 'hello, i am a 猫'],
    ['Q', ''],
    ['IZA', 'a'],
    ['IYI17SIo', 'ab'.repeat(10)],
    [compressed, request],
    // An address has a space where there was a plus.
    [compressed.replaceAll('+', ' '), request],
  ])('is expanded: %s', (text, expected) => {
    expect(expandLzText(text, 1_000)).toBe(expected);
  });

  it.each(['', '!', 'IZ', compressed.slice(0, -4), '____'])('is refused when it is none: %s', (text) => {
    expect(expandLzText(text, 1_000)).toBeUndefined();
  });

  it('is refused when it expands to more than it may', () => {
    expect(expandLzText(compressed, request.length)).toBe(request);
    expect(expandLzText(compressed, request.length - 1)).toBeUndefined();
  });
});
