import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { inFull } from '@scriptorium/toolchain/proof';
import { specsOf } from '../../test/openapi-specs.js';
import { startDyingRig, type DyingRig } from '../../test/replicas.js';
import { eventually } from '../../test/own-rig.js';
import { shop } from '../../test/specifications.js';

jest.setTimeout(240_000);

/** What is written at the end of each step of processing. */
const points = [
  'op_spec_texts updateOne "problems"',
  'op_files updateOne openapi-forms',
  'openapi_spec_version',
  'op_runs openapi- endedAt',
];
/** `npm test` kills imports and translations, whose steps are recorded in the same way. */
const long = inFull ? describe : describe.skip;

long('the processing of an OpenAPI specification', () => {
  let rig: DyingRig;
  beforeAll(async () => void (rig = await startDyingRig(points)), 120_000);
  afterAll(() => rig.stop());

  it('makes one version of each text, however often a replica is killed at one of its steps', async () => {
    const specs = specsOf(rig);
    const first = await specs.put('killed', { text: shop('first') });
    expect(first.status).toBe(201);
    await rig.arm();
    for (const summary of ['second', 'third']) {
      await eventually(async () => (await specs.put('killed', { text: shop(summary) })).status === 200, 60_000);
      await eventually(async () => {
        const { status, body } = await specs.send('GET', '/killed');
        return status === 200 && body['processingState'] === 'complete';
      }, 120_000);
    }
    const latest = async () => {
      const { body } = await specs.send('GET', '/killed/versions/latest/content/raw');
      return body['text'];
    };
    await eventually(async () => (await latest()) === shop('third'), 60_000);
    const { body } = await specs.send('GET', '/killed/versions');
    const hashes = body.items.map(({ hash }) => hash);
    expect([hashes.length <= 3, new Set(hashes).size]).toEqual([true, hashes.length]);
    await eventually(() => rig.deaths() === points.length, 60_000);
  });
});
