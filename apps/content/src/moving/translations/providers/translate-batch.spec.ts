import { describe, expect, it } from '@jest/globals';
import { batchesOf, triesTogether, waitBeforeTry, waitWhenTold } from './batches.js';
import { noUsage, ProviderFailure, type TranslationBatch, type TranslationProvider } from './provider.js';
import { translateBatch } from './translate-batch.js';

const signal = new AbortController().signal;
const text = 'Press <g id="1">Save</g> 3 times';
const good = 'Pulse <g id="1">Guardar</g> 3 veces';
const batch: TranslationBatch = {
  from: 'en',
  to: 'es',
  segments: [
    { id: 'a', text },
    { id: 'b', text },
  ],
  headings: [],
  terms: [],
  instructions: 'Be polite.',
};

/** A provider that gives one answer after the other, and notes what it was asked for. */
function giving(...answers: Array<Record<string, string> | Error>) {
  const asked: TranslationBatch[] = [];
  const provider: TranslationProvider = {
    name: 'held',
    isLanguage: true,
    translates: () => true,
    translate(request) {
      asked.push(request);
      const answer = answers.shift() ?? {};
      if (answer instanceof Error) return Promise.reject(answer);
      return Promise.resolve({ texts: new Map(Object.entries(answer)), usage: { ...noUsage, characters: 10 } });
    },
  };
  return { provider, asked };
}

/** What came of a batch, also when it fails in the end. */
async function translated(provider: TranslationProvider, of = batch) {
  const texts = new Map<string, string>();
  const problems = new Map<string, readonly string[]>();
  const characters: number[] = [];
  let failure: unknown;
  try {
    for await (const part of translateBatch(provider, of, signal)) {
      for (const [id, one] of part.texts) texts.set(id, one);
      for (const [id, one] of part.problems) problems.set(id, one);
      characters.push(part.usage.characters);
    }
  } catch (error) {
    failure = error;
  }
  return { texts: Object.fromEntries(texts), problems: Object.fromEntries(problems), characters, failure };
}

describe('a batch of segments', () => {
  it('is asked for once when every text passes', async () => {
    const { provider, asked } = giving({ a: good, b: good });
    expect(await translated(provider)).toEqual({ texts: { a: good, b: good }, problems: {}, characters: [10] });
    expect(asked).toHaveLength(1);
  });

  it('is asked for once more, alone and with its problem, where a text does not pass', async () => {
    const { provider, asked } = giving({ a: good, b: 'Pulse 3 veces' }, { b: good });
    expect(await translated(provider)).toEqual({ texts: { a: good, b: good }, problems: {}, characters: [10, 10] });
    expect(asked[1]).toMatchObject({ segments: [{ id: 'b' }] });
    expect(asked[1]?.instructions).toBe('Be polite.\nA translation was refused because of its tags.');
  });

  it('names the problem of a text that never passes, and gives none', async () => {
    const swapped = { b: '<script>alert(1)</script>' };
    const { provider } = giving({ a: good, ...swapped }, swapped);
    expect(await translated(provider)).toMatchObject({ texts: { a: good }, problems: { b: ['markup'] } });
  });

  it('says of a text that was left out that it was, and takes no text that was not asked for', async () => {
    const { provider, asked } = giving({ a: good, z: good });
    expect(await translated(provider)).toMatchObject({ texts: { a: good }, problems: { b: ['unanswered'] } });
    expect(asked[1]?.instructions).toBe('Be polite.');
    const found = await translated(giving({ a: good, b: 'Nada' }).provider);
    expect(found.problems).toEqual({ b: ['tags'] });
  });

  it('is given without spaces around it, and has to fit in its place', async () => {
    const short = { ...batch, segments: [{ id: 'a', text, most: 23 }] };
    const found = await translated(giving({ a: `${good}\n` }).provider, short);
    expect([found.texts, good.replace(/<[^>]*>/g, '')]).toEqual([{ a: good }, 'Pulse Guardar 3 veces']);
    const { provider } = giving({ a: good }, { a: good });
    expect(await translated(provider, { ...short, segments: [{ id: 'a', text, most: 20 }] })).toMatchObject({
      problems: { a: ['length'] },
    });
  });

  it('gives what was answered before it asks again', async () => {
    const { provider, asked } = giving({ a: good, b: 'Nada' }, { b: good });
    const parts = translateBatch(provider, batch, signal);
    expect((await parts.next()).value).toMatchObject({ texts: new Map([['a', good]]) });
    expect(asked).toHaveLength(1);
  });

  it('fails when the second try fails, with nothing said of the text', async () => {
    const failure = new ProviderFailure('The provider answered 500');
    const { provider } = giving({ a: good, b: 'Nada' }, failure);
    expect(await translated(provider)).toEqual({ texts: { a: good }, problems: {}, characters: [10], failure });
  });

  it('fails when it was not answered at all', async () => {
    const failure = new ProviderFailure('The provider answered 500');
    expect(await translated(giving(failure).provider)).toMatchObject({ texts: {}, characters: [], failure });
  });
});

describe('batches', () => {
  const of = (length: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ id: `${i}`, block: '', headings: [], text: 'x'.repeat(length) }));

  it('have at most 40 segments and 4,000 characters, unless one is longer', () => {
    expect(batchesOf(of(10, 100)).map((one) => one.length)).toEqual([40, 40, 20]);
    expect(batchesOf(of(1_500, 5)).map((one) => one.length)).toEqual([2, 2, 1]);
    expect(batchesOf(of(7_000, 2)).map((one) => one.length)).toEqual([1, 1]);
    expect(batchesOf([])).toEqual([]);
  });

  it('are tried three times more, later each time, and not before the provider wants', () => {
    expect([1, 2, 3, triesTogether].map(waitBeforeTry)).toEqual([2_000, 10_000, 60_000, undefined]);
    expect([0, 30_000].map(waitWhenTold)).toEqual([2_000, 30_000]);
  });
});
