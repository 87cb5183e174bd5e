import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { createLastWords } from './last-words.js';

const lastOf = (text: string): string => {
  const words = createLastWords();
  return text.split('\n').reduce((_, line) => words(line), '');
};
const crashed = (code: string): string =>
  lastOf(spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' }).stderr);

describe('the last words of a process', () => {
  it('are the message of the error that ended it, and not the version of Node', () => {
    expect(crashed('throw new TypeError("boom")')).toBe('TypeError: boom');
    expect(crashed('Promise.reject(new Error("late boom"))')).toBe('Error: late boom');
    expect(crashed('throw Object.assign(new Error("taken"), { code: "EADDRINUSE" })')).toBe('Error: taken');
    expect(crashed('throw new Error("top", { cause: new Error("below") })')).toBe('Error: top');
    expect(crashed('throw "no error"')).toBe('no error');
  });

  it('are the first line of a message with several', () => {
    expect(crashed('require("./not-there")')).toBe("Error: Cannot find module './not-there'");
  });

  it('are those of the runtime when it has no memory left', () => {
    const text =
      '<--- Last few GCs --->\n\nFATAL ERROR: Reached heap limit\n----- Native stack trace -----\n\n 1: 0xb8 node\n';
    expect(lastOf(text)).toBe('FATAL ERROR: Reached heap limit');
  });

  it('are what the process wrote last, if that was no error', () => {
    expect(lastOf('one\ncontent: PORT must be a number\n')).toBe('content: PORT must be a number');
    expect(lastOf('Error: first\n    at a.js:1:1\ncontent: gives up\n\n')).toBe('content: gives up');
    expect(lastOf('')).toBe('');
  });
});
