import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

describe('a process that cannot start', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'process-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const failing = async (name: string, before: (child: ReturnType<typeof spawn>) => void) => {
    const script = fileURLToPath(new URL('../../dist/test/failing-process.js', import.meta.url));
    const environment = { PATH: process.env['PATH'], FAIL_AT: join(folder, name), LOG_LEVEL: 'silent' };
    const child = spawn(process.execPath, [script], { env: environment, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    if (child.stderr !== null) await once(child.stderr, 'data');
    before(child);
    await writeFile(join(folder, name), '');
    return (await once(child, 'exit')) as [number | null, string | null];
  };

  it('sends the reason to its parent process', async () => {
    expect(await failing('said', () => undefined)).toEqual([1, null]);
  });

  it('kills itself when its parent process is gone', async () => {
    expect(await failing('orphaned', (child) => child.disconnect())).toEqual([null, 'SIGKILL']);
  });
});
