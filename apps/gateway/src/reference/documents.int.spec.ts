import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operationList } from '@scriptorium/contracts';
import { parse } from 'yaml';
import { startRig, type Rig } from '../test/rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const get = (path: string) => rig.call('GET', path, { token: null });

describe('the OpenAPI document', () => {
  it('lists every operation once, under the public address', async () => {
    const { status, json } = await get('/openapi.json');
    expect(status).toBe(200);
    expect(json['servers']).toEqual([{ url: 'http://docs.test' }]);
    const paths = json['paths'] as Record<string, Record<string, { operationId: string }>>;
    const ids = Object.values(paths).flatMap((path) => Object.values(path).map((op) => op.operationId));
    expect(ids.sort()).toEqual(operationList.map((op) => op.id).sort());
  });

  it('is the same as YAML', async () => {
    const yaml = await get('/openapi.yaml');
    expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    expect(parse(yaml.text)).toEqual((await get('/openapi.json')).json);
  });
});

describe('the reference page', () => {
  it('is served with its script from here alone', async () => {
    const page = await get('/reference');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).not.toMatch(/https?:/);
    // Otherwise browsers ask for /favicon.ico.
    expect(page.text).toContain('<link rel="icon" href="data:,">');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    const script = await get('/reference/script.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.text.length).toBeGreaterThan(1_000_000);
  });
});
