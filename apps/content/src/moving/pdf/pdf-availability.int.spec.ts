import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createChildPool, createRegistry, serveAdmin } from '@scriptorium/platform';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually, startRig, type Rig } from '../../test/own-rig.js';
import { emptySpace } from '../../test/zips.js';
import { probeLayout } from './layout/lay-out.process.js';
import { PdfAvailability } from './pdf-availability.process.js';

jest.setTimeout(120_000);

const built = new URL('../../../dist/moving/pdf/layout/', import.meta.url);

describe('a layout of PDFs that does not run on the machine', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  }, 60_000);
  afterEach(() => void jest.restoreAllMocks());
  afterAll(() => rig.stop());

  it('is found out by a process that loads its library', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'layout-'));
    const pool = createChildPool();
    try {
      // Its library is not among the packages of this folder.
      await writeFile(join(folder, 'package.json'), '{"type":"module"}');
      for (const name of ['layout.child.js', 'layout-messages.js'])
        await copyFile(new URL(name, built), join(folder, name));
      expect(await probeLayout(pool, pathToFileURL(join(folder, 'layout.child.js')))).toBe(false);
      expect(await probeLayout(pool)).toBe(true);
    } finally {
      await pool.stop();
      await rm(folder, { recursive: true });
    }
  });

  it('makes requests fail with the reason, and the service ready but degraded', async () => {
    jest.spyOn(PdfAvailability.prototype, 'probe').mockResolvedValue(false);
    const space = await emptySpace(rig);
    const { status, body, headers } = await rig.send('GET', `/spaces/${space}/pdf`);
    expect([status, body.error?.reason, body.error?.message, headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      'PDF is not available on this machine',
      '3600',
    ]);
    expect((await rig.send('GET', `/spaces/${space}`)).status).toBe(200);
    const replica = await rig.replica('content');
    const admin = await serveAdmin({ host: '127.0.0.1', port: 0 }, createRegistry(), () => [replica]);
    try {
      await eventually(async () => {
        const answer = await fetch(`http://127.0.0.1:${admin.port}/readyz`);
        const { apps } = (await answer.json()) as { apps: { checks: { name: string }[] }[] };
        const found = apps.flatMap(({ checks }) => checks).find(({ name }) => name === 'pdf');
        const wanted = { name: 'pdf', ok: false, degraded: true, detail: 'PDF is not available on this machine' };
        return answer.status === 200 && JSON.stringify(found) === JSON.stringify(wanted);
      });
    } finally {
      await admin.stop();
      await replica.stop();
    }
  });
});
