import { blaming, requireNone, type OrganizationMergeRules } from '@scriptorium/contracts';
import { ExpressionError, MERGE_RULE_VARIABLES, compileCondition } from '@scriptorium/expressions';
import type { ServiceContext } from '@scriptorium/platform';
import { findMembers } from '../members/find-members.queries.js';

type Rules = readonly OrganizationMergeRules['rules'][number][];

/**
 * Checks what a schema cannot see of merge rules (decisions 1.5 "mergeRules on PATCH").
 * @throws AppError `invalid_request` for reviewers who are no members, `condition_invalid` for an expression that does not compile.
 */
export async function checkMergeRules(context: ServiceContext, organization: string, rules: Rules): Promise<void> {
  const found = await Promise.all(rules.map(async (rule, i) => ('users' in rule ? (await findMembers(context, organization, rule.users)).missing(`${pathOf(i)}.users`) : [])));
  requireNone(found.flat());
  for (const [i, rule] of rules.entries()) if ('expression' in rule) checkExpression(rule.expression, `${pathOf(i)}.expression`);
}

function pathOf(rule: number): string {
  return `body.mergeRules.rules[${rule}]`;
}

function checkExpression(source: string, path: string): void {
  try {
    compileCondition(source, { variables: MERGE_RULE_VARIABLES });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw blaming('condition_invalid', path, error.message);
  }
}
