import { describe, expect, it } from '@jest/globals';
import { applyChange, createLedger } from '../clusters/ledger.js';
import { messages, messagesBySubject } from '../test/messages.js';
import { adjustedRandIndex } from './rand-index.js';
import { simulate } from './simulate.js';

const conversations = messages.map(({ text }) => ({ parts: [{ role: 'user' as const, text }] }));
const simulated = simulate(conversations, 'en');

describe('200 messages of 20 subjects', () => {
  it('are all there', () => {
    expect([messages.length, Object.keys(messagesBySubject).length]).toEqual([200, 20]);
    expect(new Set(messages.map(({ text }) => text)).size).toBe(200);
  });

  it('make clusters that agree with their subjects', () => {
    const agreement = adjustedRandIndex(
      simulated.clusters,
      messages.map(({ subject }) => subject),
    );
    expect(agreement).toBeGreaterThan(0.4);
  });

  it('make the same clusters again', () => {
    expect(simulate(conversations, 'en').changes).toEqual(simulated.changes);
  });

  it('can be rebuilt from what was recorded alone', () => {
    const rebuilt = createLedger();
    for (const change of simulated.changes) applyChange(rebuilt, change);
    expect(rebuilt).toEqual(simulated.ledger);
  });
});

describe('the adjusted Rand index', () => {
  it('is 1 for equal partitions, whatever their groups are called', () => {
    expect(adjustedRandIndex([1, 1, 2, 2], ['b', 'b', 'a', 'a'])).toBe(1);
    expect(adjustedRandIndex([], [])).toBe(1);
  });

  it('is the known value of an example, and about 0 or less for unrelated ones', () => {
    expect(adjustedRandIndex([0, 0, 1, 1], [0, 0, 1, 2])).toBeCloseTo(0.5714, 4);
    expect(adjustedRandIndex([0, 0, 0, 0], [0, 1, 2, 3])).toBeCloseTo(0, 10);
    expect(adjustedRandIndex([0, 0, 1, 1], [0, 1, 0, 1])).toBeCloseTo(-0.5, 10);
  });
});
