import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { previewsOf, siteChanges, wireHeader, type ContentTokenPayload, type Principal } from '@scriptorium/contracts';
import { issueContentToken } from '@scriptorium/platform/content-token';
import { parseKeyring } from '@scriptorium/platform/keyring';
import { announcer, config, jsonAnswer, startRig, until, type Rig } from '../test/rig.js';

let rig: Rig;
let sites: ReturnType<typeof announcer>;
/** What the service of sites says that tokens open. */
let spaces: string[] | null = ['s1'];
let asked = 0;

beforeAll(async () => {
  rig = await startRig({ services: ['identity', 'content', 'collaboration', 'sites'] });
  sites = announcer(rig.messaging, 'first', siteChanges);
  rig.stub.on['authenticateContentToken'] = () => {
    asked += 1;
    return jsonAnswer({ spaces });
  };
});
afterEach(() => {
  spaces = ['s1'];
  rig.stub.calls.length = 0;
});
afterAll(async () => {
  sites.stop();
  await rig.stop();
});

const payload: ContentTokenPayload = {
  kind: 'site',
  organization: 'o1',
  site: 'site_1',
  space: 's1',
  spaces: ['s1'],
  claims: { plan: 'paid' },
  visitorType: 'human',
  generation: 3,
};
let issued = 0;
const issue = (more: Partial<ContentTokenPayload> = {}, now = Date.now(), keys = config.keys): string =>
  issueContentToken(keys, { ...payload, ...more }, { id: `t${(issued += 1)}`, now });
const status = async (token: string, path = '/v1/spaces/s1/content/pages', method = 'GET') =>
  (await rig.call(method, path, { token })).status;

describe('a content token', () => {
  it('is a visitor for services, with its claims and the spaces that the site says', async () => {
    spaces = ['s1', 's2'];
    await status(issue({ shareKey: 'key' }));
    const header = rig.stub.calls.at(-1)?.headers[wireHeader.principal] ?? '';
    const principal = JSON.parse(header.slice(header.indexOf('{'))) as Principal;
    expect(principal).toMatchObject({
      kind: 'visitor',
      organization: 'o1',
      operator: false,
      token: { kind: 'content' },
      visitor: { site: 'site_1', spaces: ['s1', 's2'], type: 'human', claims: { plan: 'paid' }, shareKey: 'key' },
    });
  });

  it('can be decoded by clients', () => {
    const [, body = ''] = issue().split('.');
    expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toMatchObject({ kind: 'site', spaces: ['s1'] });
  });

  it('is refused with 403 by operations that do not name it', async () => {
    const token = issue();
    expect(await status(token, '/v1/user')).toBe(403);
    expect(await status(token, '/v1/orgs/o1/spaces')).toBe(403);
    expect(await status(token, '/v1/orgs/o1/search?query=a')).toBe(403);
    expect(await status(token, '/v1/spaces/s1/comments')).toBe(403);
    expect(await status(token, '/v1/spaces/s1', 'DELETE')).toBe(403);
    expect(rig.stub.calls).toEqual([]);
  });

  it('is refused with 401 when it has ended, was changed, or was not issued here', async () => {
    const [head, , signature] = issue().split('.');
    const other = Buffer.from(JSON.stringify({ ...payload, exp: 9e9, jti: 'x' })).toString('base64url');
    const none = Buffer.from('{"alg":"none","typ":"scriptorium-content+jwt"}').toString('base64url');
    const foreign = parseKeyring(['k1', 'reservation'].map((id) => `${id}:${'x'.repeat(64)}`).join());
    const before = asked;
    const tokens = [
      issue({}, Date.now() - 3_601_000),
      `${head}.${other}.${signature}`,
      `${none}.${other}.AA`,
      issue({}, Date.now(), foreign),
    ];
    for (const token of tokens) expect(await status(token)).toBe(401);
    expect(asked).toBe(before);
  });

  it('is refused as soon as sites announce that its site opens nothing any more', async () => {
    const token = issue();
    await until(async () => {
      const before = asked;
      return (await status(token)) === 200 && asked === before;
    }, 'the visitor is cached');
    spaces = null;
    sites.tell(['o1']);
    await until(async () => (await status(token)) === 401, 'the token is refused');
  });

  it('is asked about again when what members may view has changed, if it is of a preview', async () => {
    const [plain, preview] = [issue(), issue({ draft: 'u1' })];
    const isCached = async (token: string): Promise<boolean> => {
      const before = asked;
      return (await status(token)) === 200 && asked === before;
    };
    for (const token of [plain, preview]) await until(() => isCached(token), 'the visitor is cached');
    spaces = null;
    sites.tell([previewsOf('o2'), previewsOf('o1')]);
    await until(async () => (await status(preview)) === 401, 'the preview is refused');
    expect(await isCached(plain)).toBe(true);
  });

  it('has one spelling', async () => {
    const token = issue();
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = letters.indexOf(token.at(-1) ?? '');
    const before = asked;
    for (const bits of [1, 2, 3]) expect(await status(`${token.slice(0, -1)}${letters[last ^ bits] ?? ''}`)).toBe(401);
    expect(asked).toBe(before);
    expect(await status(token)).toBe(200);
  });

  it('is neither accepted nor refused while the service of sites does not answer', async () => {
    const { authenticateContentToken } = rig.stub.on;
    rig.stub.on['authenticateContentToken'] = () => Promise.reject(new Error('broken'));
    expect(await status(issue())).toBe(503);
    if (authenticateContentToken !== undefined) rig.stub.on['authenticateContentToken'] = authenticateContentToken;
  });
});
