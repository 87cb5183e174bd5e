import { describe, expect, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import type { ConversationEvent } from './conversation.events.js';
import {
  conversation,
  expire,
  ingest,
  remove,
  removeWithOrganization,
  type ConversationState,
} from './conversation.js';
import { namesText } from './conversation-text.js';

const said = (text: string, digest: string) => ({
  text,
  digest,
  parts: 1,
  bytes: 10,
  createdAt: '2026-01-02T03:04:05.006Z',
});
const now = '2026-03-03T03:03:03.003Z';
const name = { source: 'api', key: 'k' };
const ingested: ConversationEvent = {
  type: 'ConversationIngested',
  data: { ...name, version: 1, ...said('t1', 'd1') },
};
const replaced: ConversationEvent = {
  type: 'ConversationReplaced',
  data: { version: 2, ...said('t2', 'd2'), previous: 't1' },
};
const deleted: ConversationEvent = { type: 'ConversationDeleted', data: { text: 't1' } };

describe('a conversation', () => {
  it('is taken in once, and replaced by what differs', () => {
    given(conversation, [])
      .when((state) => ingest(state, { ...name, ...said('t1', 'd1') }, now))
      .then([ingested]);
    given(conversation, [ingested])
      .when((state) => ingest(state, { ...name, ...said('t2', 'd1') }, now))
      .then([]);
    given(conversation, [ingested])
      .when((state) => ingest(state, { ...name, ...said('t2', 'd2') }, now))
      .then([replaced]);
  });

  it('has begun when it came first, unless the caller says something else', () => {
    const { createdAt, ...undated } = said('t2', 'd2');
    given(conversation, [])
      .when((state) => ingest(state, { ...name, ...undated }, now))
      .then([{ type: 'ConversationIngested', data: { ...name, version: 1, ...undated, createdAt: now } }]);
    given(conversation, [ingested])
      .when((state) => ingest(state, { ...name, ...undated }, now))
      .then([{ type: 'ConversationReplaced', data: { version: 2, ...undated, createdAt, previous: 't1' } }]);
    given(conversation, [ingested])
      .when((state) => ingest(state, { ...name, ...undated, createdAt: now }, now))
      .then([{ type: 'ConversationReplaced', data: { version: 2, ...undated, createdAt: now, previous: 't1' } }]);
  });

  it('is deleted once, and comes again with the next version', () => {
    given(conversation, [ingested]).when(remove).then([deleted]);
    given(conversation, [ingested, deleted]).when(remove).then([]);
    given(conversation, [ingested, deleted])
      .when((state) => ingest(state, { ...name, ...said('t3', 'd1') }, now))
      .then([{ type: 'ConversationIngested', data: { ...name, version: 2, ...said('t3', 'd1') } }]);
  });

  it('expires unless it was replaced meanwhile, and in any case with its organization', () => {
    given(conversation, [ingested])
      .when((state) => expire(state, 't1'))
      .then([{ type: 'ConversationExpired', data: { text: 't1', cause: 'retention' } }]);
    given(conversation, [ingested, replaced])
      .when((state) => expire(state, 't1'))
      .then([]);
    given(conversation, [ingested, replaced])
      .when(removeWithOrganization)
      .then([{ type: 'ConversationExpired', data: { text: 't2', cause: 'organization' } }]);
    given(conversation, []).when(removeWithOrganization).then([]);
  });

  it('names its present text, and what a model said of it until its issues are found', () => {
    const stored = (isProcessed: boolean): ConversationState => ({
      ...{ status: 'stored', version: 1, text: 't1', digest: 'd1', createdAt: now },
      isProcessed,
    });
    const isNamed = (state: ConversationState, part: string, text = 't1') =>
      namesText(state, { place: { organization: 'o', owner: 'c', text }, part });
    expect(['body', 'issue0', 'answer'].map((part) => isNamed(stored(false), part))).toEqual([true, true, true]);
    expect(['body', 'issue0', 'answer'].map((part) => isNamed(stored(true), part))).toEqual([true, true, false]);
    expect(isNamed(stored(false), 'answer', 't2')).toBe(false);
    expect(isNamed({ status: 'absent', version: 1 }, 'answer')).toBe(false);
  });
});
