import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually, startRig, type Rig } from '../../test/rig-with-store.js';
import { makeSpace, refusal } from '../../test/spaces.js';
import { translationsOf } from '../../test/translations.js';
import { keepInstructions } from './texts/instructions.operational.js';
import { readInstructions } from './texts/read-instructions.js';
import { create, translations as list } from './translations.js';

jest.setTimeout(120_000);

describe('a translation', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
  }, 60_000);
  afterAll(() => rig.stop());

  const scope = () =>
    rig.store.scope({
      actor: { kind: 'system', id: 'spec' },
      operation: 'spec',
      organization: rig.organization,
      correlation: 'spec',
    });
  /** What a request records that dies right after. */
  const recordAlone = (translation: string, source: string, result: string) =>
    scope()
      .step(translation)
      .handle(
        list,
        rig.organization,
        (state) =>
          create(state, {
            ...{ translation, source, from: 'en', language: 'de', result },
            ...{ spaceLanguage: undefined, limit: 10 },
          }),
        { wait: false },
      );

  it('begins with its instructions also when the request that creates it breaks off', async () => {
    const document = readInstructions({ markdown: 'Be brief.' });
    const scope = { database: rig.store.database, now: Date.now };
    await keepInstructions(scope, { translation: 'broken', name: 'its-name' }, document);
    await recordAlone('broken', await makeSpace(rig), 'result');
    const translations = translationsOf(rig);
    const ended = async () => {
      const { status, body } = await translations.send('GET', '/broken');
      return status === 200 && body['lastError'] !== undefined;
    };
    await eventually(ended);
    expect(JSON.stringify((await translations.get('broken')).instructions)).toContain('Be brief.');
  });

  it('is not made of the result of another one', async () => {
    const [source, result] = [await makeSpace(rig), await makeSpace(rig)];
    await recordAlone('one', source, result);
    const answer = await translationsOf(rig).send('POST', '', { language: 'fr', source: { space: result } });
    expect(refusal(answer)).toEqual([409, 'conflict', 'body.source.space']);
  });

  it('is made once by a request that is repeated with its key', async () => {
    const body = { language: 'fr', source: { space: await makeSpace(rig) }, instructions: { markdown: 'Be polite.' } };
    const path = `/orgs/${rig.organization}/translations`;
    const post = () => rig.send('POST', path, { body, headers: { 'idempotency-key': 'once' } });
    const [first, second] = [await post(), await post()];
    expect([first.status, second.status, second.body['id']]).toEqual([201, 201, first.body['id']]);
    const again = await translationsOf(rig).send('POST', '', body);
    expect(refusal(again)).toEqual([409, 'conflict', 'body.language']);
    const { id } = await translationsOf(rig).completed(String(first.body['id']));
    expect(id).toBe(first.body['id']);
  });
});
