import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { positionPlaces } from './moved-positions.js';

const apps = fileURLToPath(new URL('../../../', import.meta.url));

/** The files with what runs and timers keep. */
const kept = readdirSync(apps).flatMap((app) =>
  readdirSync(join(apps, app, 'src'), { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.(run|timer)\.ts$/.test(name))
    .map(({ parentPath, name }) => join(parentPath, name)),
);

/** The kind of a run, or the command of a timer. */
function nameIn(text: string): string | undefined {
  return /(?:kind: |Command = )'([a-z_]+)'/.exec(text)?.[1];
}

describe('positions in what runs and timers keep', () => {
  it('are listed, so that a move translates them', () => {
    const listed = new Set(positionPlaces.texts.flatMap(({ of }) => Object.values(of)));
    const found = kept
      .map((file) => ({ file: basename(file), text: readFileSync(file, 'utf8') }))
      .filter(({ text }) => /\bposition: z\./.test(text));
    expect(found.length).toBeGreaterThan(0);
    for (const { file, text } of found) expect([file, listed.has(nameIn(text) ?? '')]).toEqual([file, true]);
    expect(listed.size).toBe(found.length);
  });
});
