import { describe, expect, it } from '@jest/globals';
import { visible } from './visible.js';

describe('a text for a terminal', () => {
  it.each([
    ['plain', 'Grüße, 世界 👋\n\tnext', 'Grüße, 世界 👋\n\tnext'],
    ['clears the screen', '\u001b[2J', String.raw`\u{1b}[2J`],
    ['sets the title', '\u001b]0;mine\u0007', String.raw`\u{1b}]0;mine\u{7}`],
    ['begins a sequence by one character', '\u009b31m', String.raw`\u{9b}31m`],
    ['overwrites its line', 'safe\rrm -rf', String.raw`safe\u{d}rm -rf`],
    ['reads backwards', 'a\u202Eb', String.raw`a\u{202e}b`],
  ])('that %s is shown', (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});
