import { describe, expect, it } from '@jest/globals';
import { redelivered, type SampleEvent } from '@scriptorium/event-sourcing/testing';
import { conversations, conversationTotals } from '../conversations/index.js';

const time = '2026-01-02T03:04:05.006Z';
const of = (entityId: string, type: string, data: object): SampleEvent => ({
  type,
  data,
  entityId,
  meta: { organization: 'o', time },
});
const said = { digest: 'd', parts: 1, bytes: 10, createdAt: '2026-01-01T00:00:00.000Z' };
const ingested = (id: string) =>
  of(id, 'ConversationIngested', { source: 'api', key: 'k', version: 1, text: 't1', ...said });
const replaced = of('a', 'ConversationReplaced', { version: 2, text: 't2', previous: 't1', ...said });

// Each history is folded with every beginning of it delivered twice: redelivery must change nothing.
describe('the read models of conversations', () => {
  it('show what was said last', () => {
    const history = [ingested('a'), replaced, ingested('b'), of('b', 'ConversationDeleted', { text: 't1' })];
    const found = redelivered(conversations, history);
    expect([...found.keys()]).toEqual(['a']);
    expect(found.get('a')).toMatchObject({
      organization: 'o',
      source: 'api',
      version: 2,
      text: 't2',
      ingestedAt: time,
    });
  });

  it('count the conversations of an organization', () => {
    const expired = of('b', 'ConversationExpired', { text: 't1', cause: 'retention' });
    expect(redelivered(conversationTotals, [ingested('a'), replaced, ingested('b')]).get('o')).toEqual({
      conversations: 2,
    });
    expect(redelivered(conversationTotals, [ingested('a'), ingested('b'), expired]).get('o')).toEqual({
      conversations: 1,
    });
  });
});
