import { AppError } from '@scriptorium/contracts';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startRig, type Rig } from '../../../test/rig-with-store.js';
import { noUsage, ProviderFailure, type TranslationProvider } from '../providers/provider.js';
import { recallTried } from '../texts/segment-memory.operational.js';
import { askAlone } from './ask-alone.process.js';
import { askTogether, isTriedTogether } from './ask-together.process.js';
import { putBatches, usageOfRun } from './run-work.operational.js';
import { firstState, type Stepped, type Working } from './working.process.js';

const refused = new ProviderFailure('The provider answered 400', { isOfText: true });
const down = new ProviderFailure('The provider answered 502');
const busy = new ProviderFailure('The provider answered 429', { retryAfterMs: 9_000 });
const next = { ...firstState, at: 1 };

describe('texts of a batch', () => {
  let rig: Rig;
  beforeAll(async () => void (rig = await startRig()), 60_000);
  afterAll(() => rig.stop());

  /** Asks for texts; those that `failures` names fail, together with all that are sent with them. */
  async function asked(
    how: typeof askAlone,
    texts: readonly string[],
    failures: Readonly<Record<string, Error>>,
    more: {
      translation: string;
      translated?: string | null;
      tries?: number;
      startedAt?: number;
      /** Called when a text is sent. */
      whenSent?: (text: string) => void;
    },
  ) {
    const { translation, translated = null, tries = 0, startedAt = Date.now(), whenSent } = more;
    const of = { run: `run-of-${translation}`, translation };
    const logged: object[] = [];
    const logger = { warn: (fields: object) => void logged.push(fields) };
    const scope = { database: rig.store.database, now: Date.now, logger };
    const sent: string[] = [];
    const provider: TranslationProvider = {
      name: 'held',
      isLanguage: false,
      translates: () => true,
      translate({ segments }) {
        for (const { text } of segments) sent.push(text);
        for (const { text } of segments) whenSent?.(text);
        for (const { text } of segments) if (failures[text] !== undefined) return Promise.reject(failures[text]);
        const usage = { ...noUsage, characters: segments.length };
        return Promise.resolve({ texts: new Map(segments.map(({ id, text }) => [id, text])), usage });
      },
    };
    const working = {
      ...{ scope, of, provider, organization: 'o', about: { from: 'en', language: 'de' } },
      ...{
        known: { instructions: null, translated },
        running: { request: 7 },
        run: { signal: new AbortController().signal },
      },
    };
    const segments = texts.map((text) => ({ hash: text, text, terms: [], since: 0 }));
    await putBatches(scope, of, 0, [{ segments, headings: [] }]);
    const state = { ...firstState, tries, startedAt };
    const whole = working as Working;
    const outcome = how(whole, state, { segments, headings: [], n: 0 }, next);
    const stepped: Stepped | Error = await outcome.catch((error: Error) => error);
    const tried = await recallTried(scope, translation, texts);
    const known = [...tried].map(([hash, { text, problems, request }]) => [hash, text ?? problems, request]);
    return { stepped, sent, known, logged, usage: await usageOfRun(scope, of) };
  }

  it('are tried again later when they fail together, and one by one after the last try', async () => {
    const tried = async (tries: number) =>
      (await asked(askTogether, ['A', 'B'], { B: refused }, { translation: `together-${tries}`, tries })).stepped;
    expect(await tried(0)).toMatchObject({ next: { tries: 1, at: 0 }, afterMs: 2_000 });
    expect(await tried(2)).toMatchObject({ next: { tries: 3 }, afterMs: 60_000 });
    const last = await tried(3);
    expect(last).toMatchObject({ next: { tries: 4 }, afterMs: 0 });
    expect([3, 4].map((tries) => isTriedTogether({ ...firstState, tries }))).toEqual([false, true]);
  });

  it('wait for a provider that says when it can be asked, which is no try, but not without end', async () => {
    for (const how of [askTogether, askAlone]) {
      const about = { translation: `busy-${how.name}`, tries: 4 };
      const { stepped, known } = await asked(how, ['A'], { A: busy }, about);
      expect([stepped, known]).toEqual([{ next: expect.objectContaining({ tries: 4 }), afterMs: 9_000 }, []]);
      const late = await asked(how, ['A'], { A: busy }, { ...about, startedAt: Date.now() - 6 * 3_600_000 });
      expect(late.stepped).toMatchObject({ outcome: { reason: 'provider_error' } });
    }
  });

  it('are kept one by one, and the source stays for those that the provider refuses', async () => {
    const { stepped, sent, known, usage } = await asked(
      askAlone,
      ['A', 'B', 'C', 'D'],
      { A: refused, C: refused },
      { translation: 'alone' },
    );
    expect([stepped, sent]).toEqual([{ next }, ['A', 'B', 'C', 'D']]);
    expect(known.sort()).toEqual([
      ['A', ['unanswered'], 7],
      ['B', 'B', 7],
      ['C', ['unanswered'], 7],
      ['D', 'D', 7],
    ]);
    expect(usage).toEqual({ usage: { ...noUsage, characters: 2 }, translated: 2 });
  });

  it('are not given up when the provider answers for none of them, or is away', async () => {
    const failed = { outcome: { reason: 'provider_error', attempts: 4 } };
    const none = await asked(askAlone, ['A', 'B'], { A: refused, B: refused }, { translation: 'none', tries: 4 });
    expect([none.stepped, none.known]).toEqual([failed, []]);
    const away = await asked(askAlone, ['A', 'B'], { B: down }, { translation: 'away', tries: 4, translated: 'v1' });
    expect([away.stepped, away.known]).toEqual([failed, [['A', 'A', 7]]]);
  });

  it('may be a single one that is refused, where the provider is known to answer', async () => {
    const first = await asked(askAlone, ['A'], { A: refused }, { translation: 'single', tries: 4 });
    expect(first.stepped).toMatchObject({ outcome: { reason: 'provider_error' } });
    const later = await asked(askAlone, ['A'], { A: refused }, { translation: 'single', tries: 4, translated: 'v1' });
    expect([later.stepped, later.known]).toEqual([{ next }, [['A', ['unanswered'], 7]]]);
  });

  it('may all be refused, where the provider has answered for others of the translation', async () => {
    const both = { C: refused, D: refused };
    for (const [index, earlier] of [askTogether, askAlone].entries()) {
      const about = { translation: `others-${index}`, tries: 4 };
      await asked(earlier, ['A', 'B'], {}, about);
      const { stepped, known } = await asked(askAlone, ['C', 'D'], both, about);
      expect([stepped, known.sort()]).toEqual([
        { next },
        [
          ['C', ['unanswered'], 7],
          ['D', ['unanswered'], 7],
        ],
      ]);
    }
    const completed = { translation: 'completed', tries: 4, translated: 'v1' };
    expect((await asked(askAlone, ['C', 'D'], both, completed)).stepped).toEqual({ next });
  });

  it('are left to the next step when the time is over, unless this one has come to nothing', async () => {
    const now = performance.now.bind(performance);
    let passed = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
    const whenSent = (text: string): void => void (passed += text === 'slow' ? 240_000 : 0);
    const failures = { A: refused, slow: down };
    const about = { tries: 4, translated: 'v1', whenSent };
    try {
      const refusedOne = await asked(askAlone, ['A', 'slow'], failures, { ...about, translation: 'late' });
      expect([refusedOne.stepped, refusedOne.known]).toEqual([
        { next: { ...firstState, tries: 4, startedAt: expect.any(Number) } },
        [['A', ['unanswered'], 7]],
      ]);
      const nothing = await asked(askAlone, ['slow', 'A'], failures, { ...about, translation: 'late-at-once' });
      expect([nothing.stepped, nothing.known]).toMatchObject([{ outcome: { reason: 'provider_error' } }, []]);
    } finally {
      clock.mockRestore();
    }
  });

  it('are in no log, which says what the provider has failed with', async () => {
    for (const how of [askTogether, askAlone]) {
      const translation = `logged-${how.name}`;
      const { logged } = await asked(how, ['A'], { A: down }, { translation, tries: 2 });
      const run = `run-of-${translation}`;
      expect(logged).toEqual([{ translation, run, tries: 2, failure: 'The provider answered 502' }]);
    }
  });

  it('say nothing of a run that has to stop', async () => {
    const stopped = new AppError('unavailable');
    for (const how of [askTogether, askAlone]) {
      const { stepped, known } = await asked(how, ['A'], { A: stopped }, { translation: `stopped-${how.name}` });
      expect([stepped, known]).toEqual([stopped, []]);
    }
  });
});
