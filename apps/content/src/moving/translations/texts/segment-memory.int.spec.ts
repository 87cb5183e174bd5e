import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRig, type Rig } from '../../../test/rig-with-store.js';
import { forgetUnused } from '../runs/forget-unused.process.js';
import {
  dropMemory,
  dropPinned,
  hashOfSegment,
  keepPinned,
  recall,
  recallTried,
  remember,
  rememberProblems,
  segmentsWithTerms,
} from './segment-memory.operational.js';
import { replacePageSegments } from '../segments/page-segments.operational.js';

const known = (text: string, terms: string[] = [], isPinned = false) => ({ text, terms, isPinned });
const given = (text: string, terms: string[] = [], request = 1) => ({ text, terms, request });

describe('the memory of a translation', () => {
  let rig: Rig;
  let scope: Parameters<typeof remember>[0];
  let now = 0;
  beforeAll(async () => {
    rig = await startRig();
    scope = { database: rig.store.database, now: () => now };
  }, 60_000);
  afterAll(() => rig.stop());

  it('names a segment by its text, the language, and the provider', () => {
    const one = { language: 'de', provider: 'chat m', text: 'Space' };
    const others = [
      { ...one, language: 'fr' },
      { ...one, provider: 'chat n' },
      { ...one, text: 'space' },
    ];
    expect(new Set([one, { ...one }, ...others].map(hashOfSegment)).size).toBe(4);
  });

  it('gives what was remembered, for its own translation alone', async () => {
    const texts = new Map([
      ['a', given('$set {{x}}')],
      ['b', given('B')],
    ]);
    await remember(scope, 'own', texts);
    await remember(scope, 'own', texts);
    await remember(scope, 'own', new Map());
    expect([...(await recall(scope, 'own', ['a', 'b', 'c'])).values()]).toEqual([known('$set {{x}}'), known('B')]);
    expect(await recall(scope, 'other', ['a'])).toEqual(new Map());
  });

  it('gives the latest text, unless a person has written one', async () => {
    await remember(scope, 'pins', new Map([['a', given('first')]]));
    await remember(scope, 'pins', new Map([['a', given('second')]]));
    expect((await recall(scope, 'pins', ['a'])).get('a')).toEqual(known('second'));
    await keepPinned(scope, 'pins', 'a', known('mine'));
    await remember(scope, 'pins', new Map([['a', given('third', ['t'])]]));
    expect((await recall(scope, 'pins', ['a'])).get('a')).toEqual(known('mine', ['t'], true));
  });

  it('gives the text of the provider again when the one of a person is dropped', async () => {
    await remember(scope, 'back', new Map([['a', given('A')]]));
    await keepPinned(scope, 'back', 'a', given('mine'));
    await keepPinned(scope, 'back', 'b', given('mine'));
    for (const hash of ['a', 'b', 'c']) await dropPinned(scope, 'back', hash);
    expect(await recall(scope, 'back', ['a', 'b', 'c'])).toEqual(new Map([['a', known('A')]]));
  });

  it('has the newest request that an answer is for, which what a person writes does not change', async () => {
    const requestOf = async () => (await recallTried(scope, 'numbers', ['a'])).get('a')?.request;
    await remember(scope, 'numbers', new Map([['a', given('A', [], 3)]]));
    await keepPinned(scope, 'numbers', 'a', given('mine'));
    expect(await requestOf()).toBe(3);
    await rememberProblems(scope, 'numbers', new Map([['a', { problems: ['tags'], terms: [], request: 4 }]]));
    expect(await requestOf()).toBe(4);
    await dropPinned(scope, 'numbers', 'a');
    expect(await requestOf()).toBeLessThan(0);
  });

  it('finds the segments with a term, and leaves those out that a person has written', async () => {
    const texts = new Map([
      ['a', given('A', ['t1', 't2'])],
      ['b', given('B', ['t2'])],
      ['c', given('C')],
    ]);
    await remember(scope, 'terms', texts);
    await keepPinned(scope, 'terms', 'd', given('D', ['t2']));
    expect(await segmentsWithTerms(scope, 'terms', ['t1'])).toEqual(new Set(['a']));
    expect(await segmentsWithTerms(scope, 'terms', ['t1', 't2'])).toEqual(new Set(['a', 'b']));
    expect(await segmentsWithTerms(scope, 'other', ['t1'])).toEqual(new Set());
  });

  it('goes as a whole, and no other one with it', async () => {
    await remember(scope, 'gone', new Map([['a', given('A')]]));
    await remember(scope, 'gone-not', new Map([['a', given('A')]]));
    await dropMemory(scope, 'gone');
    expect((await recall(scope, 'gone', ['a'])).size).toBe(0);
    expect((await recall(scope, 'gone-not', ['a'])).size).toBe(1);
  });

  it('forgets what no page has had for 90 days, but not what a person has written', async () => {
    const day = 86_400_000;
    const on = { segment: 's', block: 'b', hash: 'used', source: 'Used', problems: [] };
    const known = async () => [...(await recall(scope, 'old', ['used', 'unused', 'mine', 'young'])).keys()].sort();
    await replacePageSegments(scope, 'old', 'page', [on]);
    await remember(scope, 'old', new Map(['used', 'unused', 'mine'].map((hash) => [hash, given(hash)])));
    await keepPinned(scope, 'old', 'mine', given('mine'));
    now = 89 * day;
    await remember(scope, 'old', new Map([['young', given('young')]]));
    await forgetUnused(scope, 'old');
    expect(await known()).toEqual(['mine', 'unused', 'used', 'young']);
    now = 91 * day;
    await forgetUnused(scope, 'old');
    expect(await known()).toEqual(['mine', 'used', 'young']);
    await replacePageSegments(scope, 'old', 'page', []);
    now = 180 * day;
    await forgetUnused(scope, 'old');
    expect(await known()).toEqual(['mine', 'used']);
    now = 182 * day;
    await forgetUnused(scope, 'old');
    expect(await known()).toEqual(['mine']);
  });
});
