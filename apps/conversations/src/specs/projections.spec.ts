import { describe, expect, it } from '@jest/globals';
import { redelivered, type SampleEvent } from '@scriptorium/event-sourcing/testing';
import { clusterDocuments, clusterRequests, issues } from '../clusters/index.js';
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

  it('show issues where they stand, and count them', () => {
    const counted = (cluster: string, count: number) => ({
      cluster,
      issues: count,
      conversations: count,
      weeks: { '2026-W01': count },
      bySource: { api: count },
    });
    const issue = (id: string, cluster: string) => ({
      issue: id,
      conversation: `of ${id}`,
      of: 1,
      text: 't',
      part: 'issue0',
      cluster,
      similarity: 1,
      createdAt: said.createdAt,
      ingestedAt: time,
      week: '2026-W01',
      source: 'api',
      analyzer: 'extractive',
    });
    const history = [
      ...['a', 'b', 'c'].map((cluster, n) => of('o', 'ClusterCreated', { cluster, number: n + 1 })),
      of('o', 'IssuesExtracted', {
        issues: [issue('1', 'a'), issue('2', 'b'), issue('3', 'c'), issue('4', 'c')],
        analysed: [],
        counts: [counted('a', 1), counted('b', 1), counted('c', 2)],
      }),
      of('o', 'ClusterDescribed', { cluster: 'a', text: 'label', by: 'analyzer', size: 1 }),
      of('o', 'ClustersMerged', { into: 'a', from: ['b'], counts: [counted('a', 1)] }),
      of('o', 'IssuesMoved', { issues: ['3'], to: 'a', counts: [counted('a', 1), counted('c', -1)] }),
      of('o', 'IssuesRetracted', { issues: ['4'], undescribed: ['a'], counts: [counted('c', -1)] }),
      of('o', 'ClusterRemoved', { cluster: 'c' }),
      of('o', 'ClusterPinned', { cluster: 'a', pinned: true }),
    ];
    const found = redelivered(issues, history);
    expect([...found].map(([id, { cluster, moved }]) => [id, cluster, moved])).toEqual([
      ['1', 'a', false],
      ['2', 'a', false],
      ['3', 'a', true],
    ]);
    const clusters = redelivered(clusterDocuments, history);
    expect([...clusters.keys()]).toEqual(['a', 'b']);
    expect(clusters.get('a')).toMatchObject({
      issues: 3,
      conversations: 3,
      text: null,
      pinned: true,
      mergedInto: null,
    });
    expect(clusters.get('b')).toMatchObject({ issues: 0, mergedInto: 'a' });
    const closed = [...history, of('o', 'ClustersClosed', {})];
    expect([redelivered(issues, closed).size, redelivered(clusterDocuments, closed).size]).toEqual([0, 0]);
  });

  it('show what became of change requests for clusters', () => {
    const created = (id: string, cluster: string | null) =>
      of(id, 'ChangeRequestCreated', {
        space: id === 'd' ? 'purged' : 's',
        text: null,
        bytes: 0,
        template: null,
        conversationsIssuesCluster: cluster,
        agentTask: null,
      });
    const history = [
      ...['a', 'b', 'c', 'd', 'e'].map((id) => created(id, id === 'c' ? null : 'x')),
      of('a', 'ChangeRequestMerged', { space: 's', attempt: '1', by: 'u', revision: 'r', from: 'open' }),
      of('b', 'ChangeRequestArchived', { space: 's', from: 'open' }),
      of('b', 'ChangeRequestReopened', { space: 's', from: 'archived' }),
      of('e', 'ChangeRequestAbandoned', { space: 's' }),
      of('o', 'SpacePurged', { space: 'purged' }),
    ];
    expect([...redelivered(clusterRequests, history)]).toEqual([
      ['a', { cluster: 'x', space: 's', status: 'merged', mergedAt: time }],
      ['b', { cluster: 'x', space: 's', status: 'open', mergedAt: null }],
    ]);
  });
});
