import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { operation } from '@scriptorium/contracts';
import type { Serving } from '@scriptorium/messaging';
import { startRig, until, type Rig } from '../test/rig.js';

const access = { resource: 'installation', view: ['anyone'], allow: ['anyone'] } as const;
const base = { method: 'GET', summary: '', tag: '', access } as const;
const table = [
  operation({ ...base, service: 'identity', id: 'one', path: '/one' }),
  operation({ ...base, service: 'content', id: 'two', path: '/two' }),
];

describe('/readyz', () => {
  let rig: Rig;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ready-'));
  });
  afterEach(async () => {
    await rig.stop();
    await rm(folder, { recursive: true });
  });

  const status = async () => (await rig.call('GET', '/readyz')).status;
  const serve = (service: string): Promise<Serving> =>
    rig.messaging.serve(service, { handle: () => Promise.resolve({ body: Buffer.from('{}') }) });

  it('is 503 until every service with operations has answered', async () => {
    rig = await startRig({ table, services: [] });
    expect(await status()).toBe(503);
    await serve('identity');
    expect(await status()).toBe(503);
    expect((await rig.gateway.checks()).map(({ name, ok }) => [name, ok])).toEqual([
      ['nats', true],
      ['service identity', true],
      ['service content', false],
    ]);
    await serve('content');
    expect(await status()).toBe(200);
  });

  it('stays 200 without a service, because the others still answer', async () => {
    rig = await startRig({ table, services: [] });
    const [, content] = [await serve('identity'), await serve('content')];
    expect(await status()).toBe(200);
    await content.drain();
    expect(await status()).toBe(200);
  });

  it('waits only for the services that are configured', async () => {
    rig = await startRig({ table, services: [], config: { readyServices: ['content'] } });
    expect(await status()).toBe(503);
    await serve('content');
    expect(await status()).toBe(200);
  });

  it('on one machine is 503 until the installation is complete', async () => {
    const readyFile = join(folder, 'run.json');
    rig = await startRig({ table, config: { readyFile }, services: ['identity', 'content'] });
    expect(await status()).toBe(503);
    await writeFile(readyFile, '');
    expect(await status()).toBe(200);
  });

  it('on one machine is 503 whenever a service does not answer', async () => {
    const readyFile = join(folder, 'run.json');
    await writeFile(readyFile, '');
    rig = await startRig({ table, config: { readyFile }, services: ['identity'] });
    const content = await serve('content');
    expect(await status()).toBe(200);
    await content.drain();
    await until(async () => (await status()) === 503, 'the missing service is noticed');
    await serve('content');
    expect(await status()).toBe(200);
  });
});
