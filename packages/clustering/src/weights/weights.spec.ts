import { describe, expect, it } from '@jest/globals';
import { termsOf } from '../words/terms-of.js';
import { countConversation, cutTable, isTableDue, mostCountedTerms, mostLanguages, startCounting } from './counting.js';
import { seedTable } from './seed-table.js';
import { cosine, denseVector, isEmpty, mostVectorTerms, termVector } from './vector.js';
import { vectorOf, weightsOf } from './weights.js';

const english = (text: string) => termsOf(text, 'en');

describe('the table that the product brings', () => {
  it('knows what says little in English documentation, and nothing of other languages', () => {
    const weights = weightsOf(seedTable());
    expect(weights.weightOf('page', 'en')).toBeLessThan(weights.weightOf('refund', 'en'));
    expect([weights.weightOf('page', 'de'), weights.version]).toEqual([1, 0]);
  });
});

describe('a weight table', () => {
  it('is due after 200 conversations, and whenever their number has doubled', () => {
    const counting = startCounting(seedTable());
    let table = seedTable();
    const cuts: number[] = [];
    for (let conversation = 1; conversation <= 1_000; conversation += 1) {
      countConversation(counting, [english('The exchange rate is wrong')]);
      if (!isTableDue(counting.conversations, table.conversations)) continue;
      table = cutTable(counting, table.version + 1);
      cuts.push(conversation);
    }
    expect([cuts, table.version]).toEqual([[200, 400, 800], 3]);
    const weights = weightsOf(table);
    expect(weights.weightOf('exchang', 'en')).toBeLessThan(weights.weightOf('refund', 'en'));
  });

  it('comes back as it was stored, and counting goes on from it', () => {
    const counting = startCounting(seedTable());
    countConversation(counting, [english('card lost'), termsOf('Karte weg', 'de')]);
    const table = cutTable(counting, 1);
    const stored = JSON.parse(JSON.stringify(table)) as typeof table;
    expect(stored).toEqual(table);
    expect(cutTable(startCounting(stored), 1)).toEqual(table);
  });

  it('is bounded in terms and languages', () => {
    const counting = startCounting();
    for (let part = 0; part < 200; part += 1)
      countConversation(counting, [
        {
          language: 'en',
          counts: [['card', 1], ...Array.from({ length: 500 }, (_, i) => [`w${part}-${i}`, 1] as const)],
        },
      ]);
    for (let index = 0; index < 60; index += 1)
      countConversation(counting, [{ language: `l${index}`, counts: [['x', 1]] }]);
    const { languages } = cutTable(counting, 1);
    const counts = languages.find(([language]) => language === 'en')?.[1].counts ?? [];
    expect(counts.length).toBe(mostCountedTerms);
    expect(counts[0]).toEqual(['card', 200]);
    expect(languages.length).toBe(mostLanguages);
  });
});

describe('a vector', () => {
  const weights = weightsOf(seedTable());

  it('has length 1, the strongest terms first, and at most 64 of them', () => {
    const vector = vectorOf(english(Array.from({ length: 300 }, (_, index) => `word${index}x`).join(' ')), weights);
    expect(vector.terms.length).toBe(mostVectorTerms);
    expect(cosine(vector, vector)).toBeCloseTo(1);
    expect(vectorOf(english('card lost'), weights)).toEqual(vectorOf(english('card lost'), weights));
  });

  it('is empty where nothing is said', () => {
    expect(isEmpty(vectorOf(english('hi'), weights))).toBe(true);
    expect([isEmpty(denseVector([0, 0])), isEmpty(denseVector([0, 1]))]).toEqual([true, false]);
  });

  it('compares with vectors of its kind, language and length', () => {
    const card = termVector('en', [['card', 2]]);
    expect(cosine(card, termVector('en', [['card', 1]]))).toBe(1);
    expect(cosine(card, termVector('de', [['card', 1]]))).toBe(0);
    expect(cosine(card, denseVector([1]))).toBe(0);
    expect(cosine(denseVector([1, 1]), denseVector([2, 2]))).toBeCloseTo(1);
    expect(cosine(denseVector([1, 1]), denseVector([1]))).toBe(0);
  });
});
