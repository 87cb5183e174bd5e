import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ConfigError } from '@scriptorium/platform';
import { startRig, type Rig } from '../../test/rig.js';
import { makeSpace, refusal } from '../../test/spaces.js';
import { translationsOf } from '../../test/translations.js';
import { Translator } from './translator.process.js';

jest.setTimeout(120_000);

describe('translations of an operator who has set languages and a limit', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({
      TRANSLATION_PROVIDER: 'copy',
      TRANSLATION_LANGUAGES: 'de, fr,sl',
      MAX_TRANSLATIONS_PER_ORGANIZATION: '2',
    });
  }, 60_000);
  afterAll(() => rig.stop());

  it('are made into these languages alone', async () => {
    const translations = translationsOf(rig);
    const space = await makeSpace(rig);
    const refused = await translations.send('POST', '', { language: 'es', source: { space } });
    expect(refusal(refused)).toEqual([400, 'invalid_request', 'body.language']);
    expect(refused.body.error.details).toContainEqual({ path: 'languages', message: 'fr, de, sl' });
    const made = await translations.create('fr', space);
    expect((await translations.completed(made.id)).usage.total.characters).toBe(0);
  });

  it('are at most as many as the limit says', async () => {
    const translations = translationsOf(rig);
    const space = await makeSpace(rig);
    await translations.create('de', space);
    const more = await translations.send('POST', '', { language: 'sl', source: { space } });
    expect(refusal(more)).toEqual([409, 'limit_reached', 'translationsPerOrganization']);
  });
});

describe('what translates', () => {
  const settings = { TRANSLATION_AT_ONCE: 4, TRANSLATION_WAIT_SECONDS: 30 };
  const now = () => 0;

  it('is refused when its settings do not suffice, by their names', () => {
    const open = (more: object) => () => new Translator({ ...settings, ...more }, now);
    expect(open({ TRANSLATION_PROVIDER: 'deepl' })).toThrow(ConfigError);
    expect(open({ TRANSLATION_PROVIDER: 'chat', TRANSLATION_URL: 'http://127.0.0.1' })).toThrow(/TRANSLATION_PROVIDER/);
    expect(open({})).not.toThrow();
  });

  it('costs what tokens cost, or characters where there are none', () => {
    const priced = new Translator({ ...settings, TRANSLATION_PRICE_PER_MILLION: 2 }, now);
    expect(priced.costOf({ characters: 10, promptTokens: 400_000, completionTokens: 100_000 })).toBe(1);
    expect(priced.costOf({ characters: 250_000, promptTokens: 0, completionTokens: 0 })).toBe(0.5);
    expect(
      new Translator(settings, now).costOf({ characters: 1, promptTokens: 0, completionTokens: 0 }),
    ).toBeUndefined();
  });
});
