import { describe, expect, it } from '@jest/globals';
import { tidy } from './tidy.js';

const id = 'btGahEPnGOlgpXPyqpGU';
const other = 'k3JdX0yQ8rT5wZ1aBcDe';

describe('an example', () => {
  it('has numbers instead of ids, the same for the same id', () => {
    const given = { id, parent: other, urls: { location: `http://127.0.0.1:4711/v1/spaces/${id}` } };
    expect(tidy(given)).toEqual({
      id: 'Sx7kQ2mB9vTz4LpW8n01',
      parent: 'Sx7kQ2mB9vTz4LpW8n02',
      urls: { location: 'https://docs.example.com/v1/spaces/Sx7kQ2mB9vTz4LpW8n01' },
    });
  });

  it('has one time, and one item of a list', () => {
    const item = { createdAt: '2026-11-29T09:28:15.123Z' };
    expect(tidy({ items: [item, item], count: 2 })).toEqual({
      items: [{ createdAt: '2026-01-15T09:30:00.000Z' }],
      count: 2,
    });
  });

  it('has no bytes, certificates and signatures of a run', () => {
    expect(tidy({ base64: `${'aB3'.repeat(20)}+/==`, page: 'eyJhIjoxfQ.00ff00ff00ff00ff' })).toEqual({
      base64: 'SGVsbG8=',
      page: 'eyJzb3J0IjoiaWQifQ.0123456789abcdef',
    });
    expect(tidy('-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----')).toContain('\n…\n');
  });

  it('keeps words', () => {
    const given = { internationalization: true, kind: 'agent_instructions_replaced', title: 'Getting started' };
    expect(tidy(given)).toEqual(given);
  });
});
