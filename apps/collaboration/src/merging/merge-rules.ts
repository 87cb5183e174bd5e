import type { ErrorDetail, OrganizationMergeRules } from '@scriptorium/contracts';
import { createCompiler, MERGE_RULE_VARIABLES } from '@scriptorium/expressions';

export type MergeRule = OrganizationMergeRules['rules'][number];

/** The latest review of somebody who may view the space. */
interface CountedReview {
  reviewer: string;
  status: 'approved' | 'changes-requested';
  /** Whether the change request has another revision since. */
  outdated: boolean;
}

/** What merge rules judge. */
export interface MergeFacts {
  /** Who merges. */
  actor: string;
  space: { id: string; organization: string };
  changeRequest: {
    id: string;
    number: number;
    status: string;
    subject: string;
    /** As markdown; empty without one. */
    description: string;
    outdated: boolean;
    author: string;
    createdAt: string;
  };
  reviews: readonly CountedReview[];
}

const compiler = createCompiler({ variables: MERGE_RULE_VARIABLES });

/** The rules that refuse a merge, each with what it asks for. None when somebody merges who may bypass them. Pure. */
export function failedRules(rules: readonly MergeRule[], facts: MergeFacts): ErrorDetail[] {
  const mayBypass = rules.some((rule) => rule.rule === 'allow_bypass' && rule.users.includes(facts.actor));
  if (mayBypass) return [];
  return rules.flatMap((rule, i) => {
    const message = refusal(rule, facts);
    return message === null ? [] : [{ path: `mergeRules.rules[${i}]`, message }];
  });
}

/** What a rule asks for that is not so; `null` when it passes. */
function refusal(rule: MergeRule, facts: MergeFacts): string | null {
  const { changeRequest, actor } = facts;
  switch (rule.rule) {
    case 'allow_bypass':
      return null;
    case 'custom':
      return passes(rule.expression, facts) ? null : (rule.message ?? `Must be true: ${rule.expression}`);
    case 'require_agent_review':
      return 'Needs a review by an agent, and no agent is configured';
    case 'require_up_to_date_change_request':
      return changeRequest.outdated ? 'Must be up to date with the content of the space' : null;
    case 'require_change_request_subject':
      return changeRequest.subject === '' ? 'Must have a subject' : null;
    case 'require_change_request_description':
      return changeRequest.description === '' ? 'Must have a description' : null;
    case 'require_author_to_merge':
      return changeRequest.author === actor ? null : 'Only its author can merge it';
    default:
      return refusalOfReviews(rule, facts.reviews);
  }
}

type ReviewRule = Extract<
  MergeRule,
  {
    rule:
      | 'require_specific_reviewers'
      | 'require_one_of_specific_reviewers'
      | 'require_at_least_one_review'
      | 'require_at_least_one_approved_review'
      | 'require_all_reviews_approved';
  }
>;

/** An outdated review counts as a review alone: neither does it approve, nor does it ask for changes. */
function refusalOfReviews(
  rule: ReviewRule | Exclude<MergeRule, { users: string[] }>,
  reviews: MergeFacts['reviews'],
): string | null {
  const present = reviews.filter(({ outdated }) => !outdated);
  const approved = new Set(present.filter(({ status }) => status === 'approved').map(({ reviewer }) => reviewer));
  switch (rule.rule) {
    case 'require_at_least_one_review':
      return reviews.length > 0 ? null : 'Needs a review';
    case 'require_at_least_one_approved_review':
      return approved.size > 0 ? null : 'Needs a review of its newest revision that approves it';
    case 'require_all_reviews_approved':
      return approved.size === present.length ? null : 'All reviews of its newest revision must approve it';
    case 'require_specific_reviewers':
      return rule.users.every((user) => approved.has(user)) ? null : missing('all of', rule.users);
    case 'require_one_of_specific_reviewers':
      return rule.users.some((user) => approved.has(user)) ? null : missing('one of', rule.users);
    default:
      return `The rule ${rule.rule} is not known`;
  }
}

function missing(which: string, users: readonly string[]): string {
  return `Needs approving reviews of its newest revision by ${which} ${users.join(', ')}`;
}

function passes(expression: string, { actor, space, changeRequest, reviews }: MergeFacts): boolean {
  const { author, ...shown } = changeRequest;
  const scope = {
    actor: { id: actor },
    space,
    changeRequest: { ...shown, createdBy: { id: author } },
    reviews: reviews.map(({ reviewer, status, outdated }) => ({ status, outdated, reviewer: { id: reviewer } })),
  };
  return compiler.test(scope, expression);
}
