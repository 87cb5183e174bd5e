import { describe, expect, it } from '@jest/globals';
import { createProgress, whileWorking } from './progress.js';
import { createScreen } from './screen.js';

function stream(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, columns: 20, written, write: (text: string) => written.push(text) };
}

describe('progress', () => {
  it('is drawn again in place on a terminal, and never longer than a line', async () => {
    const terminal = stream(true);
    const screen = createScreen(terminal, {});
    const progress = createProgress(2, screen);
    progress.step('one');
    progress.end();
    expect(await whileWorking(screen, 'copying', () => Promise.resolve(1))).toBe(1);
    expect(terminal.written).toEqual([
      `\r\u001b[2K[${'#'.repeat(15)}...`,
      '\r\u001b[2K',
      '\r\u001b[2Kcopying',
      '\r\u001b[2K',
    ]);
  });

  it.each([
    ['in a pipe', stream(false), {}],
    ['with NO_COLOR', stream(true), { NO_COLOR: '1' }],
    ['on a terminal that draws nothing in place', stream(true), { TERM: 'dumb' }],
  ])('is not shown %s', (_, target, environment) => {
    const progress = createProgress(1, createScreen(target, environment));
    progress.step('one');
    progress.end();
    expect(target.written).toEqual([]);
  });

  it('is shown where NO_COLOR is empty', () => {
    const terminal = stream(true);
    createScreen(terminal, { NO_COLOR: '' }).show('one');
    expect(terminal.written).toHaveLength(1);
  });

  it('is cleared when the work fails', async () => {
    const terminal = stream(true);
    const failing = whileWorking(createScreen(terminal, {}), 'copying', () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(terminal.written.at(-1)).toBe('\r\u001b[2K');
  });
});
