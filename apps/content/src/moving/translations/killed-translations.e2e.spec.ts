import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sized } from '@scriptorium/toolchain/proof';
import { eventually } from '../../test/own-rig.js';
import { startDyingRig, type DyingRig } from '../../test/replicas.js';
import { makeSpace } from '../../test/spaces.js';
import { startTranslationServer, type TranslationServer } from '../../test/translation-server.js';

jest.setTimeout(240_000);

/** What is written in each step of a run, and at its end. */
const all = [
  'op_translation_chunks bulkWrite',
  'op_runs "phase":"segment"',
  'op_translation_batches bulkWrite',
  'op_runs "phase":"translate"',
  'op_translation_batches updateOne "translated"',
  'op_runs "phase":"build"',
  'op_translation_chunks updateOne "built"',
  'op_runs "phase":"commit"',
  'command "update":"revision_v2" "computed"',
  'op_translation_chunks deleteMany',
];
const points = sized(
  all.filter((_, index) => index % 3 === 1),
  all,
);
const changes = Array.from({ length: 60 }, (_, n) => ({
  operation: 'insert_page',
  title: `Page ${n}`,
  document: { markdown: `Sentence ${n} of it.\n\nAnother one, ${n}.\n` },
}));

describe('a run of a translation', () => {
  let rig: DyingRig;
  let server: TranslationServer;
  beforeAll(async () => {
    server = await startTranslationServer();
    rig = await startDyingRig(points, { TRANSLATION_PROVIDER: 'libretranslate', TRANSLATION_URL: server.url });
  }, 120_000);
  afterAll(async () => {
    await rig.stop();
    await server.stop();
  });

  it('makes one revision and sends every segment once, however often a replica is killed in its steps', async () => {
    let space = 'undefined';
    await eventually(async () => (space = await makeSpace(rig)) !== 'undefined', 30_000);
    for (const some of [changes.slice(0, 30), changes.slice(30)]) {
      const { status } = await rig.send('POST', `/spaces/${space}/content`, { body: { changes: some } });
      expect(status).toBe(200);
    }
    await rig.arm();
    const path = `/orgs/${rig.organization}/translations`;
    const made = await rig.send('POST', path, { body: { language: 'de', source: { space } } });
    expect(made.status).toBe(201);
    const id = String(made.body['id']);
    let result: unknown;
    await eventually(async () => {
      const { status, body } = await rig.send('GET', `${path}/${id}`);
      result = body['result'];
      return status === 200 && result !== undefined;
    }, 200_000);
    const sent = server.sent.flat().sort();
    expect(sent).toEqual([...new Set(sent)]);
    expect(sent).toHaveLength(180);
    const target = String((result as { space: string }).space);
    await eventually(async () => (await rig.send('GET', `/spaces/${target}/revisions`)).body['count'] === 1, 30_000);
    const { body } = await rig.send('GET', `/spaces/${target}/content/pages`);
    expect((body['pages'] as { title: string }[]).map(({ title }) => title)).toEqual(
      changes.map(({ title }) => `Auf ${title}`),
    );
    await eventually(() => rig.deaths() === points.length, 60_000);
  });
});
