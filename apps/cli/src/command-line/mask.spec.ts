import { describe, expect, it } from '@jest/globals';
import { masked } from './mask.js';

describe('masked', () => {
  it('hides what was given by --token, and what has the form of a token', () => {
    const text = 'refused: abc and scr_pat_AbCd1234_xyz';
    for (const argv of [
      ['x', '--token', 'abc'],
      ['--token=abc', 'x'],
    ])
      expect(masked(text, argv)).toBe('refused: *** and ***');
  });

  it('leaves all else as it is', () => {
    expect(masked('there is no file scr.md', ['--token'])).toBe('there is no file scr.md');
    expect(masked('all', ['--token', ''])).toBe('all');
  });
});
