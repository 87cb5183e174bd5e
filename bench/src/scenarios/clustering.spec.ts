import { describe, expect, it } from '@jest/globals';
import { Cleanup } from '../processes/cleanup.js';
import { clustering } from './clustering.js';
import { kMeans } from './k-means.js';
import { readLabelled, shuffled } from './labelled-texts.js';

describe('labelled texts', () => {
  it('are read from CSV, and shuffled by a seed', () => {
    const texts = readLabelled('text,category\nWhere?,card\n"Lost, ""gone""\nand away",card\r\nWhy,rate');
    expect(texts).toEqual([
      { text: 'Where?', subject: 'card' },
      { text: 'Lost, "gone"\nand away', subject: 'card' },
      { text: 'Why', subject: 'rate' },
    ]);
    expect(shuffled(texts, 1)).toEqual(shuffled(texts, 1));
    expect(new Set(shuffled(texts, 2))).toEqual(new Set(texts));
  });

  it('are asked for where they are missing', async () => {
    const said: string[] = [];
    const options = { seconds: 1, rounds: 1, connections: 1, events: 1, pages: 1 };
    const never = (): Promise<never> => Promise.reject(new Error('It needs no product'));
    const say = (text: string): void => void said.push(text);
    const figures = await clustering.run({ options, cleanup: new Cleanup(), product: never, reference: never, say });
    expect([figures, said.join()]).toEqual([[], expect.stringContaining('--messages FOLDER')]);
  });
});

describe('k-means', () => {
  it('finds groups that have nothing in common, the same ones for the same seed', () => {
    const of = (term: string) => [[term, 1]] as const;
    const vectors = [of('a'), of('b'), of('a'), of('c'), of('b')];
    const clusters = kMeans(vectors, 3, 1);
    expect(kMeans(vectors, 3, 1)).toEqual(clusters);
    expect([clusters[0] === clusters[2], clusters[1] === clusters[4], new Set(clusters).size]).toEqual([true, true, 3]);
  });
});
