import { describe, expect, it } from '@jest/globals';
import { failedRules, type MergeFacts, type MergeRule } from './merge-rules.js';

const changeRequest = {
  id: 'cr',
  number: 1,
  status: 'open',
  subject: 'Why',
  description: 'Because',
  outdated: false,
  author: 'ann',
  createdAt: '2026-01-02T03:04:05.006Z',
};
const facts: MergeFacts = { actor: 'bob', space: { id: 's', organization: 'o' }, changeRequest, reviews: [] };
const approval = { reviewer: 'bob', status: 'approved', outdated: false } as const;
const objection = { reviewer: 'cat', status: 'changes-requested', outdated: false } as const;
const late = { outdated: true } as const;
const passes = (rule: MergeRule, more: Partial<MergeFacts> = {}) =>
  failedRules([rule], { ...facts, ...more }).length === 0;
const withReviews = (...reviews: MergeFacts['reviews'][number][]) => ({ reviews });
const changed = (more: Partial<typeof changeRequest>) => ({ changeRequest: { ...changeRequest, ...more } });

describe('merge rules', () => {
  it('are all named when they fail, by their place', () => {
    const rules: MergeRule[] = [
      { rule: 'require_author_to_merge' },
      { rule: 'require_change_request_subject' },
      { rule: 'require_agent_review' },
    ];
    expect(failedRules(rules, facts).map(({ path }) => path)).toEqual(['mergeRules.rules[0]', 'mergeRules.rules[2]']);
    expect(failedRules([], facts)).toEqual([]);
  });

  it('let those pass who may bypass them', () => {
    const rules: MergeRule[] = [{ rule: 'require_author_to_merge' }, { rule: 'allow_bypass', users: ['bob'] }];
    expect(failedRules(rules, facts)).toEqual([]);
    expect(failedRules(rules, { ...facts, actor: 'cat' })).toHaveLength(1);
  });

  it('ask for properties of the change request', () => {
    expect(passes({ rule: 'require_author_to_merge' }, { actor: 'ann' })).toBe(true);
    for (const [rule, more] of [
      ['require_change_request_subject', { subject: '' }],
      ['require_change_request_description', { description: '' }],
      ['require_up_to_date_change_request', { outdated: true }],
    ] as const)
      expect([passes({ rule }), passes({ rule }, changed(more))]).toEqual([true, false]);
  });

  it('count an outdated review as a review alone', () => {
    const one = { rule: 'require_at_least_one_review' } as const;
    expect([passes(one), passes(one, withReviews({ ...objection, ...late }))]).toEqual([false, true]);
    const approved = { rule: 'require_at_least_one_approved_review' } as const;
    const judged = [
      withReviews(),
      withReviews(approval),
      withReviews({ ...approval, ...late }),
      withReviews(objection),
    ];
    expect(judged.map((more) => passes(approved, more))).toEqual([false, true, false, false]);
    const all = { rule: 'require_all_reviews_approved' } as const;
    const together = [
      withReviews(),
      withReviews(approval, objection),
      withReviews(approval, { ...objection, ...late }),
    ];
    expect(together.map((more) => passes(all, more))).toEqual([true, false, true]);
  });

  it('ask for reviews of all of some people, or of one of them', () => {
    const users = ['bob', 'cat'];
    const both = withReviews(approval, { ...approval, reviewer: 'cat' });
    const every = { rule: 'require_specific_reviewers', users } as const;
    const some = { rule: 'require_one_of_specific_reviewers', users } as const;
    const judged = [withReviews(), withReviews(approval, objection), both];
    expect(judged.map((more) => passes({ ...every, users }, more))).toEqual([false, false, true]);
    expect(judged.map((more) => passes({ ...some, users }, more))).toEqual([false, true, true]);
  });

  it('evaluate expressions, which refuse when they fail', () => {
    const custom = (expression: string, message?: string): MergeRule => ({
      rule: 'custom',
      expression,
      ...(message === undefined ? {} : { message }),
    });
    for (const expression of [
      'changeRequest.createdBy.id == "ann" && actor.id != "ann"',
      'changeRequest.subject.startsWith("W") && changeRequest.description.includes("cause")',
      'reviews.every(r => r.outdated || r.status == "approved")',
      'space.id == "s"',
    ])
      expect([expression, passes(custom(expression))]).toEqual([expression, true]);
    for (const expression of ['reviews.length > 0', 'changeRequest.none.such', 'nobody.id', '('])
      expect([expression, passes(custom(expression))]).toEqual([expression, false]);
    const [failed] = failedRules([custom('changeRequest.outdated', 'Say so')], facts);
    expect(failed?.message).toBe('Say so');
  });
});
