import { createHash, randomBytes } from 'node:crypto';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ContentFile } from '@scriptorium/contracts';
import { get, startRig, type Person, type Rig } from '../../test/rig-with-store.js';
import { makeSpace, refusal } from '../../test/spaces.js';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const KiB = 1024;
/** A PNG of 3 by 2 pixels. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAFUlEQVR4nGP4z8DAAMRM/xkYGBgYAA4QAgHZ5mQ4AAAAAElFTkSuQmCC',
  'base64',
);

interface File {
  id: string;
  name: string;
  contentType: string;
  size: number;
  downloadURL: string;
  dimensions?: { width: number; height: number };
}

describe('the files of a space', () => {
  let rig: Rig;
  let org: string;
  let editor: Person;
  let elsewhere: { server: Server; url: string };
  beforeAll(async () => {
    elsewhere = await serveFiles();
    rig = await startRig({ OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8', MAX_FILE_BYTES_PER_ORGANIZATION: '20000000' });
    org = `/orgs/${rig.organization}`;
    editor = await rig.member('Edda Editor', 'edit');
  }, 60_000);
  afterAll(async () => {
    await rig.stop();
    elsewhere.server.close().closeAllConnections();
  });

  const change = (space: string, ...changes: object[]) =>
    rig.send('POST', `/spaces/${space}/content`, { token: editor.token, body: { changes } });
  const insert = (space: string, ...files: object[]) => change(space, { operation: 'insert_files', files });
  const read = async (path: string, token = editor.token) => (await rig.send('GET', path, { token })).body;
  const filesOf = async (space: string) => get(await read(`/spaces/${space}/content/files`), 'items') as File[];
  const begin = async (size: number, more: object = {}, token = editor.token) => {
    const file = { name: 'data.bin', type: 'application/octet-stream', size };
    const body = { file: { ...file, ...more }, kind: 'space_file' };
    const { url, key } = (await rig.send('POST', `${org}/storage/upload`, { token, body })).body;
    return { url: String(url), key: String(key) };
  };
  const put = (url: string, bytes: Uint8Array, headers: Record<string, string> = {}) =>
    fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers });
  const reasonOf = async (answer: Response) => {
    const { error } = (await answer.json()) as { error: { reason: string; details?: { path: string }[] } };
    return [answer.status, error.reason, error.details?.[0]?.path];
  };
  const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
  const base64 = (name: string, bytes: Uint8Array, contentType = 'text/plain') => ({
    name,
    base64: Buffer.from(bytes).toString('base64'),
    contentType,
  });

  it('come by an upload of 5 MB, and are read again, whole, in ranges and by condition', async () => {
    const space = await makeSpace(rig);
    const bytes = randomBytes(5_000_000);
    const { url, key } = await begin(bytes.length);
    expect(new URL(url).origin).not.toBe(rig.endpoint);
    const digest = `sha-256=:${Buffer.from(sha256(bytes), 'hex').toString('base64')}:`;
    const sent = await put(url, bytes, { 'content-digest': digest });
    expect([sent.status, sent.headers.get('etag')]).toEqual([204, `"${sha256(bytes)}"`]);
    const made = await insert(space, { name: 'data.bin', upload: key, ref: 'data' });
    expect(made.status).toBe(200);
    const { id } = (made.body['insertedFiles'] as File[])[0] as File;
    expect((made.body['refs'] as Record<string, string>)['data']).toBe(id);
    const file = ContentFile.parse(await read(`/spaces/${space}/content/files/${id}`));
    expect(file).toMatchObject({ name: 'data.bin', size: bytes.length, contentType: 'application/octet-stream' });
    const whole = await fetch(file.downloadURL);
    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, '5000000']);
    expect((await bytesOf(whole)).equals(bytes)).toBe(true);
    const tag = String(whole.headers.get('etag'));
    const part = async (headers: Record<string, string>, method = 'GET') => {
      const answer = await fetch(file.downloadURL, { headers, method });
      return [answer.status, answer.headers.get('content-range'), sha256(await bytesOf(answer))];
    };
    const hashOf = (start: number, end: number) => sha256(bytes.subarray(start, end));
    expect(await part({ range: 'bytes=10-19' })).toEqual([206, 'bytes 10-19/5000000', hashOf(10, 20)]);
    expect(await part({ range: 'bytes=-5' })).toEqual([
      206,
      'bytes 4999995-4999999/5000000',
      hashOf(4_999_995, 5_000_000),
    ]);
    expect(await part({ range: 'bytes=4999999-' })).toEqual([
      206,
      'bytes 4999999-4999999/5000000',
      hashOf(4_999_999, 5e6),
    ]);
    expect(await part({ range: 'bytes=0-1', 'if-range': tag })).toEqual([206, 'bytes 0-1/5000000', hashOf(0, 2)]);
    expect(await part({ range: 'bytes=5000000-' })).toEqual([416, 'bytes */5000000', hashOf(0, 0)]);
    expect((await part({ range: 'bytes=0-1', 'if-range': '"x"' }, 'HEAD'))[0]).toBe(200);
    expect(await part({ 'if-none-match': tag })).toEqual([304, null, hashOf(0, 0)]);
    const head = await fetch(file.downloadURL, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '5000000']);
  });

  it('are never active: what could run is saved, everything is sandboxed', async () => {
    const space = await makeSpace(rig);
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><script>alert(1)</script></svg>';
    await insert(
      space,
      base64('x "quoted" ü.png', png, 'text/html'),
      base64('logo.png', Buffer.from(svg), 'image/png'),
      base64('page.html', Buffer.from('<script>alert(1)</script>'), 'text/html'),
      base64('notes.txt', Buffer.from('plain')),
    );
    const files = await filesOf(space);
    expect(files.map(({ name, contentType, dimensions }) => [name, contentType, dimensions])).toEqual([
      ['logo.png', 'image/svg+xml', { width: 30, height: 20 }],
      ['notes.txt', 'text/plain', undefined],
      ['page.html', 'text/html', undefined],
      ['x "quoted" ü.png', 'image/png', { width: 3, height: 2 }],
    ]);
    const headers = await Promise.all(files.map(async ({ downloadURL }) => (await fetch(downloadURL)).headers));
    expect(headers.map((one) => one.get('content-disposition')?.split(';')[0])).toEqual([
      'attachment',
      'inline',
      'attachment',
      'inline',
    ]);
    expect(headers[3]?.get('content-disposition')).toBe(
      `inline; filename="x _quoted_ _.png"; filename*=UTF-8''x%20%22quoted%22%20%C3%BC.png`,
    );
    for (const one of headers) {
      expect(one.get('content-security-policy')).toMatch(/^default-src 'none'.*; sandbox/);
      expect([one.get('x-content-type-options'), one.get('cross-origin-resource-policy')]).toEqual([
        'nosniff',
        'cross-origin',
      ]);
    }
    expect(headers[2]?.get('content-type')).toBe('text/html; charset=utf-8');
    const api = new URL(files[0]?.downloadURL ?? '');
    expect((await fetch(`${rig.endpoint}${api.pathname}${api.search}`)).status).toBe(404);
    expect((await fetch(`${api.origin}/v1/user`)).status).toBe(404);
  });

  it('come from other addresses, and not from private ones', async () => {
    const space = await makeSpace(rig);
    const made = await insert(space, { name: 'far.png', url: `${elsewhere.url}/png` });
    expect(made.status).toBe(200);
    expect(await filesOf(space)).toMatchObject([{ name: 'far.png', contentType: 'image/png', size: png.length }]);
    const field = 'body.changes[0].files[1].url';
    const fetched = async (url: string) => refusal(await insert(space, base64('a.txt', png), { name: 'x', url }));
    expect(await fetched('http://169.254.169.254/latest')).toEqual([400, 'invalid_request', field]);
    expect(await fetched(`${elsewhere.url}/to-private`)).toEqual([502, 'bad_gateway', field]);
    expect(await fetched(`${elsewhere.url}/missing`)).toEqual([502, 'bad_gateway', field]);
    expect(await fetched(`${elsewhere.url}/large`)).toEqual([502, 'bad_gateway', field]);
    expect(await fetched(`${elsewhere.url}/cut`)).toEqual([502, 'bad_gateway', field]);
    expect((await filesOf(space)).length).toBe(1);
    // What was put aside for requests that were refused is gone with them.
    expect(await rig.store.database.collection('op_uploads').countDocuments({ kind: 'staged' })).toBe(0);
  });

  it('take no bytes that are wrong, forged, late or cut', async () => {
    const space = await makeSpace(rig);
    const bytes = randomBytes(200 * KiB);
    const { url, key } = await begin(bytes.length);
    const at = (field: string) => [400, 'invalid_request', `headers.${field}`];
    expect(await reasonOf(await put(url, bytes.subarray(1)))).toEqual(at('content-length'));
    expect(await reasonOf(await put(url, bytes, { 'content-digest': 'md5=:abc=:' }))).toEqual(at('content-digest'));
    const other = `sha-256=:${Buffer.from(sha256(png), 'hex').toString('base64')}:`;
    expect(await reasonOf(await put(url, bytes, { 'content-digest': other }))).toEqual(at('content-digest'));
    const forged = (from: RegExp, to: string) => put(url.replace(from, to), bytes);
    expect(await reasonOf(await forged(/expires=\d/, 'expires=9'))).toEqual([403, 'forbidden', 'query.signature']);
    expect(await reasonOf(await forged(/.$/, 'g'))).toEqual([403, 'forbidden', 'query.signature']);
    expect(await reasonOf(await forged(/signature=.*/, ''))).toEqual([403, 'forbidden', 'query.signature']);
    await cutShort(url, bytes);
    const early = await insert(space, { name: 'x', upload: key });
    expect(refusal(early)).toEqual([422, 'content_change_invalid', 'body.changes[0].files[0].upload']);
    expect((await put(url, bytes)).status).toBe(204);
    expect((await put(url, bytes)).status).toBe(204);
    expect(await reasonOf(await put(url, randomBytes(200 * KiB)))).toEqual([409, 'already_exists', undefined]);
    const upload = rig.store.database.collection<{ _id: string }>('op_uploads');
    await upload.updateOne({ _id: key }, { $set: { endsAt: 0 } });
    expect(await reasonOf(await put(url, bytes))).toEqual([404, 'not_found', undefined]);
    expect(refusal(await insert(space, { name: 'x', upload: key }))[0]).toBe(422);
    expect(await filesOf(space)).toEqual([]);
  });

  it('can be used by who began the upload, in the same organization, as what it was begun for', async () => {
    const space = await makeSpace(rig);
    const field = 'body.changes[0].files[0].upload';
    const { url, key } = await begin(png.length, {}, rig.owner.token);
    await put(url, png);
    expect(refusal(await insert(space, { name: 'x', upload: key }))).toEqual([422, 'content_change_invalid', field]);
    const body = { file: { name: 'f.woff2', type: 'font/woff2', size: png.length }, kind: 'customization_font' };
    const font = (await rig.send('POST', `${org}/storage/upload`, { token: editor.token, body })).body;
    await put(String(font['url']), png);
    expect(refusal(await insert(space, { name: 'x', upload: font['key'] }))).toEqual([
      422,
      'content_change_invalid',
      field,
    ]);
    expect(refusal(await insert(space, { name: 'x', upload: 'nothing' }))).toEqual([
      422,
      'content_change_invalid',
      field,
    ]);
    const large = { file: { name: 'x', type: 'a/b', size: 100 * KiB * KiB + 1 }, kind: 'space_file' };
    expect((await rig.send('POST', `${org}/storage/upload`, { body: large })).status).toBe(413);
  });

  it('are renamed, replaced, deleted, rolled back and copied, and revisions tell what happened', async () => {
    const space = await makeSpace(rig);
    const first = await insert(
      space,
      { ...base64('b.txt', Buffer.from('one')), ref: 'b' },
      base64('A.txt', Buffer.from('a')),
    );
    const id = (first.body['refs'] as Record<string, string>)['b'] ?? '';
    const renamed = await change(space, { operation: 'update_file', file: id, name: 'c.txt' });
    expect(renamed.body['changes']).toMatchObject([{ object: 'updated_file', file: { id, name: 'c.txt' } }]);
    const same = await change(space, { operation: 'update_file', file: id, name: 'c.txt' });
    expect(same.body['revision']).toBe(renamed.body['revision']);
    const { name: _, ...bytes } = base64('', Buffer.from('two!'));
    const replaced = await change(space, { operation: 'update_file', file: id, ...bytes });
    expect((await filesOf(space)).map(({ name, size }) => [name, size])).toEqual([
      ['A.txt', 1],
      ['c.txt', 4],
    ]);
    const events = (await read(`/spaces/${space}/revisions/${String(replaced.body['revision'])}/changes`))['changes'];
    expect(events).toMatchObject([
      { type: 'file_edited', file: { id }, attributes: { size: { before: 3, after: 4 }, downloadURL: {} } },
    ]);
    const deleted = await change(space, { operation: 'delete_file', file: id });
    expect((await rig.send('GET', `/spaces/${space}/content/files/${id}`, { token: editor.token })).status).toBe(404);
    const gone = await read(`/spaces/${space}/revisions/${String(deleted.body['revision'])}/changes`);
    expect(gone['changes']).toMatchObject([{ type: 'file_deleted', file: { id, name: 'c.txt' } }]);
    expect(refusal(await change(space, { operation: 'delete_file', file: id }))).toEqual([
      422,
      'content_change_invalid',
      'body.changes[0].file',
    ]);
    const revision = `/spaces/${space}/revisions/${String(first.body['revision'])}`;
    const then = ContentFile.parse(await read(`${revision}/files/${id}`));
    expect([then.name, await (await fetch(then.downloadURL)).text()]).toEqual(['b.txt', 'one']);
    const pages = await read(`${revision}/files?limit=1`);
    const next = await read(`${revision}/files?limit=1&page=${encodeURIComponent(String(get(pages, 'next.page')))}`);
    expect([pages['count'], pages.items[0]?.['name'], next.items[0]?.['name']]).toEqual([2, 'A.txt', 'b.txt']);
    expect((await rig.send('POST', `${revision}/rollback`)).status).toBe(200);
    expect((await filesOf(space)).map(({ name }) => name)).toEqual(['A.txt', 'b.txt']);
    const stored = rig.store.database.collection('op_files');
    const before = await stored.countDocuments();
    const copy = String((await rig.send('POST', `/spaces/${space}/duplicate`)).body['id']);
    const [, copied] = (await read(`/spaces/${copy}/content`))['files'] as File[];
    expect(await stored.countDocuments()).toBe(before);
    expect(await (await fetch(copied?.downloadURL ?? '')).text()).toMatch(/^(one|a)$/);
  });

  it('are named by documents of the same request, and by what stays', async () => {
    const space = await makeSpace(rig);
    const markdown = '![Logo](/files/logo)\n\n{% file src="/files/logo" %}\n\n[Load](/files/logo) [Gone](/files/gone)';
    const made = await change(
      space,
      {
        operation: 'insert_page',
        title: 'A',
        document: { markdown },
        ref: 'a',
        cover: { ref: { kind: 'file', file: 'logo' } },
      },
      { operation: 'insert_files', files: [{ ...base64('logo.png', png), ref: 'logo' }] },
    );
    const { a, logo } = made.body['refs'] as Record<string, string>;
    const page = await read(`/spaces/${space}/content/page/${a}`);
    expect(String(page['markdown']).split(`/files/${logo}`).length).toBe(4);
    expect(String(page['markdown'])).toContain('Gone');
    expect(String(page['markdown'])).not.toContain('/files/gone');
    expect(get(page, 'cover.ref')).toEqual({ kind: 'file', file: logo });
    const again = await change(space, { operation: 'update_page', page: a, document: page['document'] });
    expect(again.body['revision']).toBe(made.body['revision']);
    const seen = await read(`/spaces/${space}/content/page/${a}?dereferenced=true&format=document`);
    expect(JSON.stringify(seen)).toMatch(/"title":"logo.png"[^}]*signature=|signature=[^}]*"title":"logo.png"/);
  });

  it('are judged and not brought by a dry run', async () => {
    const space = await makeSpace(rig);
    const dry = (file: object) => {
      const changes = [{ operation: 'insert_files', files: [{ name: 'a', ...file }] }];
      return rig.send('POST', `/spaces/${space}/content?dryRun=true`, { token: editor.token, body: { changes } });
    };
    expect((await dry(base64('a', png))).status).toBe(200);
    expect((await dry({ url: `${elsewhere.url}/missing` })).status).toBe(200);
    expect((await dry({ url: 'http://10.0.0.1/' })).status).toBe(400);
    expect((await dry({ upload: 'nothing' })).status).toBe(422);
    expect(await filesOf(space)).toEqual([]);
  });

  it('have addresses and tags that stay the same for an hour', async () => {
    const space = await makeSpace(rig);
    await insert(space, base64('a.txt', png));
    const path = `/spaces/${space}/content`;
    const once = await rig.send('GET', path);
    const twice = await rig.send('GET', path, { token: editor.token });
    expect([twice.body['files'], twice.headers.get('etag')]).toEqual([once.body['files'], once.headers.get('etag')]);
    const url = new URL((once.body['files'] as File[])[0]?.downloadURL ?? '');
    const left = Number(url.searchParams.get('expires')) - Date.now() / 1_000;
    expect(left > 3_599 && left <= 7_200).toBe(true);
    url.searchParams.set('expires', '1000');
    expect(await reasonOf(await fetch(url))).toEqual([403, 'forbidden', 'query.signature']);
  });

  it('are limited by what an organization stores: the same bytes of a space count once', async () => {
    const other = String((await rig.send('POST', '/orgs', { body: { title: 'Full' } })).body['id']);
    const within = `/orgs/${other}`;
    const space = await makeSpace(rig, {}, within);
    const upload = (size: number) => {
      const body = { file: { name: 'x', type: 'a/b', size }, kind: 'space_file' };
      return rig.send('POST', `${within}/storage/upload`, { body });
    };
    expect((await upload(19_000_000)).status).toBe(201);
    const full = await upload(1_000_001);
    expect([full.status, get(full.body, 'error.reason'), get(full.body, 'error.details.0.path')]).toEqual([
      409,
      'limit_reached',
      'fileBytesPerOrganization',
    ]);
    const bytes = randomBytes(600 * KiB);
    const body = (name: string) => ({ changes: [{ operation: 'insert_files', files: [base64(name, bytes)] }] });
    const change = (name: string) => rig.send('POST', `/spaces/${space}/content`, { body: body(name) });
    expect((await change('a')).status).toBe(200);
    expect((await change('b')).status).toBe(200);
    const others = { changes: [{ operation: 'insert_files', files: [base64('c', randomBytes(600 * KiB))] }] };
    expect((await rig.send('POST', `/spaces/${space}/content`, { body: others })).status).toBe(409);
    expect((await read(`/spaces/${space}/content/files`, rig.owner.token))['count']).toBe(2);
  });
});

/** Sends half of the bytes and goes away. */
async function cutShort(url: string, bytes: Uint8Array): Promise<void> {
  await new Promise<void>((resolve) => {
    const sending = httpRequest(url, { method: 'PUT', headers: { 'content-length': String(bytes.length) } });
    sending.on('error', () => undefined).on('close', () => resolve());
    sending.write(bytes.subarray(0, bytes.length / 2), () => setTimeout(() => sending.destroy(), 100));
  });
}

/** A server on the internet. */
async function serveFiles(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    if (request.url === '/png') response.end(png);
    else if (request.url === '/to-private') response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    else if (request.url === '/large')
      response.writeHead(200, { 'content-length': String(101 * KiB * KiB) }).write('x');
    else if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': '100' }).write('x');
      setTimeout(() => response.destroy(), 50);
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
