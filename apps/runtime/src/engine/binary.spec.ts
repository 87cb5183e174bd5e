import { describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failureOf, findEngine } from './binary.js';

/** A system for which npm installs nothing on this machine. */
const other = process.arch === 'arm64' ? 'linux-x64' : 'linux-arm64';

describe('the engine', () => {
  it.each([
    ['plan9-x64', 'There is no engine for plan9-x64'],
    ['win32-x64', 'Scripts need Unix sockets, which the engine does not have on Windows'],
    [other, `The optional package @cloudflare/workerd-${other === 'linux-x64' ? 'linux-64' : other} is not installed`],
  ])('is not there for %s, with a reason', async (system, unavailable) => {
    expect(await findEngine(system)).toEqual({ unavailable });
  });

  it('is not there where its binary does not run, with the first line that this says', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'engine-'));
    const binary = join(folder, 'workerd');
    writeFileSync(binary, '#!/bin/sh\necho "librt.so.1: cannot open shared object file" >&2\nexit 127\n');
    try {
      expect(await failureOf(binary)).toMatch(/EACCES/);
      chmodSync(binary, 0o700);
      expect(await failureOf(binary)).toBe('librt.so.1: cannot open shared object file');
      expect(await failureOf(join(folder, 'none'))).toMatch(/ENOENT/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
