import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually, startRig, type Rig } from '../../../test/rig.js';
import { makeSpace } from '../../../test/spaces.js';
import { translationsOf } from '../../../test/translations.js';

jest.setTimeout(120_000);

describe('a translation whose source changes', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({ TRANSLATION_WAIT_SECONDS: '0' });
  }, 60_000);
  afterAll(() => rig.stop());

  /** A translation that has run, what changes its source, and when it has run again. */
  const translated = async () => {
    const translations = translationsOf(rig);
    const space = await makeSpace(rig);
    const { id } = await translations.create('de', space);
    const { lastError } = await translations.completed(id);
    const ranAgain = async (since: string | undefined): Promise<string> => {
      const at = async (): Promise<string | undefined> => (await translations.get(id)).lastError?.at;
      await eventually(async () => (await at()) !== since, 30_000);
      return String((await translations.completed(id)).lastError?.at);
    };
    return { space, first: lastError?.at, ranAgain };
  };

  it('runs again when a revision was made', async () => {
    const { space, first, ranAgain } = await translated();
    const changes = [{ operation: 'insert_page', title: 'New', document: { markdown: 'Words.' } }];
    const answer = await rig.send('POST', `/spaces/${space}/content`, { body: { changes } });
    expect(answer.status).toBeLessThan(300);
    expect(await ranAgain(first)).not.toBe(first);
  });

  it('runs again when the source was deleted, and when it was restored', async () => {
    const { space, first, ranAgain } = await translated();
    expect((await rig.send('DELETE', `/spaces/${space}`)).status).toBeLessThan(300);
    const second = await ranAgain(first);
    expect((await rig.send('POST', `/spaces/${space}/restore`)).status).toBeLessThan(300);
    expect(await ranAgain(second)).not.toBe(second);
  });
});
