import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError, readIntegrationImage } from '@scriptorium/contracts';
import { startRig, type Rig } from '../test/rig.js';

const hash = 'a'.repeat(64);

describe('the images of integrations in the gateway', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
  });
  afterEach(() => rig.stop());

  const shown = (answer: { type: string; base64: string }) => {
    rig.stub.on[readIntegrationImage.id] = () => ({ body: Buffer.from(JSON.stringify(answer)), headers: {} });
  };
  const get = (path: string, method = 'GET') => fetch(`${rig.gateway.filesAddress}/integrations${path}`, { method });

  it('are shown to anybody, for as long as clients keep them, and run nowhere', async () => {
    const bytes = Buffer.alloc(1_500_000, 'x');
    shown({ type: 'image/png', base64: bytes.toString('base64') });
    const answer = await get(`/id/${hash}/image.png`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(answer.headers.get('cache-control')).toContain('immutable');
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const head = await get(`/id/${hash}/image.png`, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '1500000']);
  });

  it('are not found at other addresses, and not when the service does not have them', async () => {
    let asked = 0;
    rig.stub.on[readIntegrationImage.id] = () => {
      asked += 1;
      throw new AppError('not_found');
    };
    for (const path of [`/id/${hash}/image.png`, '/id/none/image.png', `/i%20d/${hash}/image.png`, '/id'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    expect((await get(`/id/${hash}/image.png`, 'POST')).status).toBe(404);
    expect(asked).toBe(1);
  });
});
