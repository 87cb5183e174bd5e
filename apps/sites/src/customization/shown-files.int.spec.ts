import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get } from '../test/rig.js';
import { startVisitorRig, type VisitorRig } from '../test/visitor-rig.js';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('the look of a site', () => {
  let visitors: VisitorRig;
  let site: string;
  beforeAll(async () => {
    visitors = await startVisitorRig();
    [site] = await visitors.publish({}, [visitors.first]);
  }, 60_000);
  afterAll(() => visitors.world.rig.stop());

  const send: VisitorRig['send'] = (...sent) => visitors.send(...sent);
  const put = (body: object) => send('PUT', `${site}/customization`, body);
  const upload = async (bytes: Buffer, name: string, type: string, kind = 'organization_file') => {
    const file = { name, type, size: bytes.length };
    const { body } = await send('POST', `${visitors.world.org}/storage/upload`, { file, kind });
    const answer = await fetch(String(body['url']), { method: 'PUT', body: new Uint8Array(bytes) });
    expect(answer.status).toBe(204);
    return { key: String(body['key']), url: String(body['url']) };
  };
  const refusal = async (body: object) => {
    const { status, body: refused } = await put(body);
    return [status, refused.error.reason, refused.error.details?.map(({ path }) => path)];
  };

  it('takes uploads, and shows them at addresses that do not end', async () => {
    const [light, dark] = [await upload(png, 'light logo.png', 'image/png'), await upload(png, 'x.png', 'image/png')];
    const { status, body } = await put({
      header: { logo: { light: { file: light.key }, dark: { file: dark.key } } },
      favicon: { icon: { light: { file: light.key }, dark: 'https://example.org/icon.png' } },
      socialPreview: { url: { file: light.key } },
    });
    expect(status).toBe(200);
    const logo = get(body, 'header.logo') as { light: string; dark: string };
    expect(logo.light).toMatch(/^http[^?]*\/looks\/site_\w+\/[\da-f]{32}\/light%20logo\.png$/);
    expect(get(body, 'favicon.icon')).toEqual({ light: logo.light, dark: 'https://example.org/icon.png' });
    expect(get(body, 'socialPreview.url')).toBe(logo.light);
    for (const url of Object.values(logo)) {
      const answer = await fetch(url);
      expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
        200,
        'image/png',
        'public, max-age=31536000, immutable',
      ]);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(png);
    }
    expect(get((await send('GET', `${site}/published`)).body, 'customizations.site.header.logo')).toEqual(logo);
    // What was read can be written again, and the same upload used again.
    expect((await put({ header: { logo }, favicon: { icon: get(body, 'favicon.icon') } })).status).toBe(200);
    expect((await put({ header: { logo: { light: { file: light.key }, dark: logo.dark } } })).status).toBe(200);
  });

  it('takes them for a space of the site, too', async () => {
    const { key } = await upload(png, 'own.png', 'image/png');
    const siteSpace = String((await send('GET', `${site}/site-spaces`)).body.items[0]?.['id']);
    const path = `${site}/site-spaces/${siteSpace}/customization`;
    const { status, body } = await send('PATCH', path, {
      header: { logo: { light: { file: key }, dark: { file: key } } },
    });
    expect([status, (await fetch(String(get(body, 'header.logo.dark')))).status]).toEqual([200, 200]);
    const cleared = await send('PATCH', path, { header: { logo: null } });
    expect([cleared.status, cleared.body['hasOverrides']]).toEqual([200, false]);
  });

  it('takes fonts where fonts are, and images where images are', async () => {
    const font = await upload(
      Buffer.concat([Buffer.from('774f463200010000', 'hex'), Buffer.alloc(100, 1)]),
      'own.woff2',
      'font/woff2',
      'customization_font',
    );
    const image = await upload(png, 'a.png', 'image/png');
    const fontOf = (key: string) => ({
      id: 'own',
      custom: true,
      fontFamily: 'Own',
      fontFaces: [{ weight: 400, sources: [{ url: { file: key } }] }],
    });
    expect(await refusal({ styling: { font: fontOf(image.key) } })).toEqual([
      400,
      'invalid_request',
      ['body.styling.font.fontFaces[0].sources[0].url.file'],
    ]);
    expect(await refusal({ socialPreview: { url: { file: font.key } } })).toEqual([
      400,
      'invalid_request',
      ['body.socialPreview.url.file'],
    ]);
    const { status, body } = await put({ styling: { font: fontOf(font.key) } });
    expect(status).toBe(200);
    const url = String(get(body, 'styling.font.fontFaces.0.sources.0.url'));
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'font/woff2']);
    // Pages at other addresses may load it.
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('refuses uploads that are not there or of others, and addresses that end by themselves', async () => {
    const other = await visitors.world.rig.member('Oth Er', 'admin');
    const { key, url } = await upload(png, 'mine.png', 'image/png');
    const logo = (light: unknown) => ({ header: { logo: { light, dark: 'https://example.org/dark.png' } } });
    const named = [400, 'invalid_request', ['body.header.logo.light.file']];
    expect(await refusal(logo({ file: 'nothing' }))).toEqual(named);
    const theirs = await send('PUT', `${site}/customization`, logo({ file: key }), other.token);
    expect([theirs.status, theirs.body.error.details?.[0]?.path]).toEqual([400, 'body.header.logo.light.file']);
    const pending = await send('POST', `${visitors.world.org}/storage/upload`, {
      file: { name: 'a.png', type: 'image/png', size: 5 },
      kind: 'organization_file',
    });
    expect(await refusal(logo({ file: pending.body['key'] }))).toEqual(named);
    for (const ending of [url, 'https://files.example/a.png?X-Amz-Expires=60', 'https://files.example/a?Expires=9'])
      expect(await refusal(logo(ending))).toEqual([400, 'invalid_request', ['body.header.logo.light']]);
    for (const wrong of [{ file: '' }, { file: 7 }, 'no address', {}])
      expect((await put(logo(wrong))).status).toBe(400);
  });

  it('keeps nothing of what is only tried, nor of a site that is gone', async () => {
    const bytes = Buffer.concat([png, Buffer.from('another')]);
    const { key } = await upload(bytes, 'tried.png', 'image/png');
    const body = { socialPreview: { url: { file: key } } };
    const tried = await send('PUT', `${site}/customization?dryRun=true`, body);
    expect(tried.status).toBe(200);
    expect((await fetch(String(get(tried.body, 'socialPreview.url')))).status).toBe(404);
    const made = await put(body);
    const url = String(get(made.body, 'socialPreview.url'));
    expect([(await fetch(url)).status, (await send('DELETE', site)).status]).toEqual([200, 205]);
    const late = performance.now() + 10_000;
    while ((await fetch(url)).status !== 404 && performance.now() < late);
    expect((await fetch(url)).status).toBe(404);
  });
});
