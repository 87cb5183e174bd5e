import { describe, expect, it } from '@jest/globals';
import { personal } from '../test/personal.js';
import { seedTable } from '../weights/seed-table.js';
import { weightsOf } from '../weights/weights.js';
import { termsOf } from '../words/terms-of.js';
import { issuesOfAnswer, labelOfAnswer, sentToModel, UnusableAnswer, vectorsOfAnswer, withTerms } from './answers.js';
import { termsEmbedder } from './defaults.js';

const weights = weightsOf(seedTable());
const user = (text: string) => ({ role: 'user' as const, text });

describe('the embedder that needs no model', () => {
  it('makes vectors of terms', async () => {
    const embedder = termsEmbedder(weights);
    const [vector] = await embedder.embed([{ text: 'card lost', terms: termsOf('card lost', 'en') }]);
    expect([embedder.version, embedder.kind, vector?.kind]).toEqual(['terms-0', 'terms', 'terms']);
  });
});

describe('what a model is sent', () => {
  it.each(personal)('has no secret of %j', (text, secret) => {
    expect(JSON.stringify(sentToModel({ subject: text, parts: [user(`Why? ${text}`)] }))).not.toContain(
      JSON.stringify(secret).slice(1, -1),
    );
  });

  it('is what users say, within bounds', () => {
    expect(sentToModel({ parts: [user('Hi, it fails'), { role: 'assistant', text: 'Really?' }] })).toEqual({
      subject: '',
      messages: ['it fails'],
    });
    const { messages } = sentToModel({ parts: Array.from({ length: 50 }, () => user('it fails again '.repeat(500))) });
    expect(messages.join('').length).toBeLessThanOrEqual(16_400);
  });
});

describe('an answer', () => {
  it('is masked, in one line, and short', () => {
    const [issue] = issuesOfAnswer({
      issues: [{ title: 'Mail to\nann@example.org\u0000 fails', summary: 'x '.repeat(900), more: 1 }],
    });
    expect(issue?.title).toBe('Mail to [e-mail] fails');
    expect(issue?.summary.length).toBeLessThanOrEqual(500);
    expect(labelOfAnswer({ label: 'Lost cards', summary: 'Cards are lost.' })).toEqual({
      label: 'Lost cards',
      summary: 'Cards are lost.',
      icon: 'circle-question',
    });
    expect(issuesOfAnswer({ issues: [] })).toEqual([]);
    expect(withTerms({ title: 'Card lost', summary: 'The card is lost' }, 'en').terms.counts[0]).toEqual(['card', 2]);
  });

  const issue = { title: 'a', summary: 'b' };
  it.each([
    [undefined],
    ['text'],
    [{}],
    [{ issues: 'none' }],
    [{ issues: [issue, issue, issue, issue] }],
    [{ issues: [{ title: 'a' }] }],
    [{ issues: [{ title: ' ', summary: 'b' }] }],
    [{ issues: [null] }],
    [{ issues: [{ title: 1, summary: 'b' }] }],
  ])('like %j is unusable', (answer) => expect(() => issuesOfAnswer(answer)).toThrow(UnusableAnswer));

  it.each([
    [undefined],
    [[[1]]],
    [[[1], [1, 2]]],
    [[[], []]],
    [[[1], ['1']]],
    [[[1], [Number.NaN]]],
    [[[1], [1e30]]],
    [[new Array(5_000).fill(1), [1]]],
  ])('of vectors like %j is unusable', (answer) => expect(() => vectorsOfAnswer(answer, 2)).toThrow(UnusableAnswer));

  it('of vectors has them with length 1', () => {
    const [first] = vectorsOfAnswer([[3, 4]], 1);
    expect([...(first?.values ?? [])].map((value) => Math.round(value * 10))).toEqual([6, 8]);
  });
});
