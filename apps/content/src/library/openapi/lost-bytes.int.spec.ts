import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { filesWith } from '@scriptorium/testing';
import { specsOf } from '../../test/openapi-specs.js';
import { startOtherSide, type OtherSide } from '../../test/other-side.js';
import { eventually, startRig, type Rig } from '../../test/own-rig.js';
import { shop } from '../../test/specifications.js';
import { specs as aggregate } from './spec.js';

jest.setTimeout(180_000);

describe('the bytes of OpenAPI specifications', () => {
  let rig: Rig;
  let other: OtherSide;
  let isStopped: boolean;
  let specs: ReturnType<typeof specsOf>;
  beforeEach(async () => {
    isStopped = false;
    other = await startOtherSide();
    rig = await startRig({ OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8' });
    specs = specsOf(rig);
  }, 60_000);
  afterEach(async () => {
    other.stop();
    if (!isStopped) await rig.stop();
  });

  const collection = (name: string) => rig.store.database.collection<{ _id: string }>(name);
  const count = (name: string, filter: object) => collection(name).countDocuments(filter);

  it('that a restore has lost answer 503, and the next processing makes them again', async () => {
    const tagged = shop('fetched');
    other.pages.set('/spec', (response, headers) => {
      if (headers['if-none-match'] === '"a"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"a"' }).end(tagged);
    });
    const sources = { given: { text: shop('given') }, fetched: { url: `${other.origin}/spec` } };
    for (const [slug, source] of Object.entries(sources)) {
      const { lastVersion } = await specs.given(slug, source);
      await specs.send('PATCH', `/${slug}`, { body: { visibility: 'public' } });
      await eventually(async () => (await count('op_runs', { open: true })) === 0);
      await rm(join(rig.folder, 'files'), { recursive: true, force: true });
      await collection('op_files').deleteMany({});
      const statuses = async () => {
        const { body } = await specs.send('GET', `/${slug}`);
        const published = (body['urls'] as { published: string }).published;
        const content = await specs.send('GET', `/${slug}/versions/latest/content`);
        return [content.status, (await fetch(published)).status];
      };
      expect(await statuses()).toEqual([503, 503]);
      expect((await specs.send('GET', `/${slug}/versions/latest`)).status).toBe(200);
      const again = await specs.given(slug, source);
      expect([again.lastVersion, await statuses()]).toEqual([lastVersion, [200, 200]]);
      expect((await specs.send('GET', `/${slug}/versions`)).body['count']).toBe(1);
    }
  });

  it('are made again of an unchanged answer when a release makes other forms', async () => {
    const conditions: (string | undefined)[] = [];
    other.pages.set('/spec', (response, headers) => {
      conditions.push(headers['if-none-match']);
      if (headers['if-none-match'] === '"a"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"a"' }).end(shop('a'));
    });
    const source = { url: `${other.origin}/spec` };
    const { lastVersion } = await specs.given('shop', source);
    const texts = rig.store.database.collection('op_spec_texts');
    for (const form of [{ $inc: { 'answered.form': -1 } }, { $unset: { 'answered.form': '' } }]) {
      await eventually(async () => (await count('op_runs', { open: true })) === 0);
      expect((await texts.updateOne({ 'answered.etag': '"a"' }, form)).modifiedCount).toBe(1);
      expect((await specs.given('shop', source)).lastVersion).toBe(lastVersion);
    }
    await eventually(async () => (await count('op_runs', { open: true })) === 0);
    await specs.given('shop', source);
    expect(conditions).toEqual([undefined, undefined, undefined, '"a"']);
  });

  it('are stored once the store is there again, and until then the specification is being processed', async () => {
    other.pages.set('/spec', shop('a'));
    await specs.given('first', { url: `${other.origin}/spec` });
    await eventually(async () => (await count('op_runs', { open: true })) === 0);
    const folder = join(rig.folder, 'files');
    await rename(folder, `${folder}.away`);
    await writeFile(folder, '');
    await specs.put('second', { url: `${other.origin}/spec` });
    await eventually(async () => (await count('op_runs', { open: true, attempts: { $gt: 1 } })) === 1, 30_000);
    expect(await specs.get('second')).toMatchObject({ processingState: 'progress' });
    expect((await specs.put('third', { text: shop('c') })).status).toBe(503);
    await rm(folder);
    await rename(`${folder}.away`, folder);
    expect(await specs.processed('second', undefined, 60_000)).toMatchObject({ lastVersion: expect.any(String) });
    expect((await specs.send('GET', '/second/versions')).body['count']).toBe(1);
  });

  it('go with the organization, with addresses, texts and slugs', async () => {
    const doomed = String((await rig.send('POST', '/orgs', { body: { title: 'Doomed' } })).body['id']);
    const own = specsOf(rig, doomed);
    const words = ['addressquill', 'textquill', 'problemquill', 'slugquill', 'internalquill'];
    const text = JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'textquill', version: '1' },
      paths: { '/problemquill': { get: { 'x-internal': true, summary: 'internalquill' } } },
    });
    other.pages.set('/addressquill', text);
    await own.given('slugquill', { url: `${other.origin}/addressquill` });
    await own.put('slugquill-2', { text }, { 'idempotency-key': 'a' });
    await own.processed('slugquill-2');
    const before = await filesWith(rig.folder, words);
    expect(new Set(before.map((one) => one.split('/')[0]))).toEqual(new Set(['eventstore', 'files', 'mongodb']));
    expect((await rig.send('DELETE', `/orgs/${doomed}`)).status).toBe(205);
    await eventually(async () => (await count('op_spec_texts', {})) === 0, 30_000);
    await eventually(async () => (await count('op_files', { organization: doomed })) === 0, 30_000);
    const scope = rig.store.scope({
      actor: { kind: 'system', id: 'spec' },
      operation: 'spec',
      organization: doomed,
      correlation: 'spec',
    });
    await eventually(async () => !(await scope.load(aggregate, doomed)).isClosed, 30_000);
    await rig.scavenge();
    let found: string[] = [];
    isStopped = true;
    await rig.stop(async (folder) => void (found = await filesWith(folder, words)));
    expect(found).toEqual([]);
  });
});
