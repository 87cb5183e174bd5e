import { describe, expect, it } from '@jest/globals';
import { emojiCode } from './emoji.js';

describe('an emoji', () => {
  it.each([
    ['🎉', '1f389'],
    ['1F389', '1f389'],
    ['👍🏽', '1f44d-1f3fd'],
    ['👩‍💻', '1f469-200d-1f4bb'],
    ['1f469-200d-1f4bb', '1f469-200d-1f4bb'],
    ['🇩🇪', '1f1e9-1f1ea'],
    ['❤️', '2764-fe0f'],
    ['❤', '2764-fe0f'],
    ['2764', '2764-fe0f'],
    ['1️⃣', '31-fe0f-20e3'],
  ])('%s has the code %s, which stands for itself', (given, code) => {
    expect(emojiCode(given)).toBe(code);
    expect(emojiCode(code)).toBe(code);
  });

  it.each(['', 'a', 'ab', '🎉🎉', '1f389-1f389', 'ffffff', '31', ':tada:', '🎉 '])('is not %j', (given) => {
    expect(emojiCode(given)).toBeUndefined();
  });
});
