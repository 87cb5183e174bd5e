import { describe, expect, it } from '@jest/globals';
import { safePath } from './archive-names.js';
import { cutText, titleOfName } from '../folder.js';

describe('names of files of an archive', () => {
  it('are paths, and that of the archive itself is a folder', () => {
    expect(['./a/./b.md', 'a//b.md', 'a/', './', '.'].map(safePath)).toEqual(['a/b.md', 'a/b.md', 'a/', '/', '/']);
  });

  it('never end in the middle of a character when they are cut', () => {
    const long = `${'x'.repeat(254)}😀`;
    expect([cutText(long, 255), cutText(long, 256)]).toEqual(['x'.repeat(254), long]);
    expect(titleOfName(`${long}.md`).isWellFormed()).toBe(true);
  });
});
