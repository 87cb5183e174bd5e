import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operation, operationList, reasonStatus } from '@scriptorium/contracts';
import { parse } from 'yaml';
import { startRig, type Rig } from '../test/rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const get = (path: string) => rig.call('GET', path, { token: null });

describe('the OpenAPI document', () => {
  it('lists every operation once, with the public address', async () => {
    const { status, json } = await get('/openapi.json');
    expect(status).toBe(200);
    expect(json['servers']).toEqual([{ url: 'http://docs.test' }]);
    const paths = json['paths'] as Record<string, Record<string, { operationId: string }>>;
    const ids = Object.values(paths).flatMap((path) => Object.values(path).map((op) => op.operationId));
    const aliases = operationList.flatMap(({ id, aliases }) => aliases.map((_path, at) => `${id}Alias${at + 1}`));
    expect(ids.sort()).toEqual([...operationList.map(({ id }) => id), ...aliases].sort());
  });
});

describe('an error', () => {
  const linkOf = (headers: Headers) => /<([^>]+)>; rel="help"/.exec(headers.get('link') ?? '')?.[1] ?? '';

  it.each([
    ['/v1/nothing', 404, 'not_found'],
    ['/v1/orgs', 401, 'unauthenticated'],
    ['/v1/orgs/%zz', 400, 'invalid_request'],
  ])('of %s links to the page of its reason', async (path, status, reason) => {
    const refused = await get(path);
    const page = await get(linkOf(refused.headers));
    expect([refused.status, page.status, page.headers.get('content-type')]).toEqual([
      status,
      200,
      'text/html; charset=utf-8',
    ]);
    expect(page.text).toContain(`<h1>${status} ${reason}</h1>`);
  });

  it('keeps the link of a deprecated operation', async () => {
    const access = { resource: 'installation', view: ['anyone'], allow: ['anyone'] } as const;
    const old = operation({
      id: 'old',
      service: 'identity',
      method: 'GET',
      path: '/old',
      summary: '',
      tag: '',
      access,
      deprecated: { since: '2026-01-01', sunset: '2027-01-01', successor: '/new' },
    });
    const other = await startRig({ table: [old] });
    const { headers } = await other.call('GET', '/v1/old', { token: null });
    await other.stop();
    expect(headers.get('link')).toBe('</v1/new>; rel="successor-version", </errors/unauthenticated>; rel="help"');
  });
});

describe('the pages of error reasons', () => {
  it('exist for each reason, and list the operations that answer it', async () => {
    const list = await get('/errors');
    for (const reason of Object.keys(reasonStatus)) {
      expect(list.text).toContain(`href="/errors/${reason}"`);
      expect([reason, (await get(`/errors/${reason}`)).status]).toEqual([reason, 200]);
    }
    expect((await get('/errors/last_admin')).text).toContain(
      '<code>DELETE /v1/orgs/{organizationId}/members/{userId}</code>',
    );
    expect((await get('/errors/constructor')).status).toBe(404);
  });
});

describe('the reference page', () => {
  it('loads nothing from other servers', async () => {
    const page = await get('/reference');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).not.toMatch(/https?:/);
    expect(page.text).toContain('<link rel="icon" href="/favicon.ico" type="image/svg+xml">');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    // What is tried there is refused if it has a mistyped field.
    expect(page.text).toContain(`request.headers.set('prefer', 'handling=strict')`);
    const script = await get('/reference/script.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.text.length).toBeGreaterThan(1_000_000);
  });
});

describe('the root', () => {
  const root = (accept: string | undefined, method = 'GET') =>
    rig.call(method, '/', { token: null, headers: accept === undefined ? {} : { accept } });

  it('redirects browsers to the reference page', async () => {
    const { status, headers, text } = await root('text/html,application/xhtml+xml,*/*;q=0.8');
    expect([status, headers.get('location'), headers.get('vary'), text]).toEqual([302, '/reference', 'Accept', '']);
  });

  it.each([[undefined], ['*/*'], ['application/json']])(
    'tells programs the addresses of the API (%s)',
    async (accept) => {
      const { status, headers, json } = await root(accept);
      expect([status, headers.get('content-type'), headers.get('vary')]).toEqual([
        200,
        'application/json; charset=utf-8',
        'Accept',
      ]);
      expect(json).toEqual({
        api: 'http://docs.test/v1/',
        openapi: 'http://docs.test/openapi.json',
        errors: 'http://docs.test/errors',
        reference: 'http://docs.test/reference',
      });
    },
  );

  it('refuses other methods', async () => {
    const { status, headers } = await root(undefined, 'POST');
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

// The last one: while the document is read, the gateway closes idle connections, and no request must follow on these.
describe('the OpenAPI document in YAML', () => {
  it('is the same as in JSON', async () => {
    const yaml = await get('/openapi.yaml');
    expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    const { json } = await get('/openapi.json');
    expect(parse(yaml.text)).toEqual(json);
  });
});
