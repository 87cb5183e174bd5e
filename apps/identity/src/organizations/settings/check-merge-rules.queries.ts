import { blaming, requireNone, type OrganizationMergeRules } from '@scriptorium/contracts';
import { ExpressionError, MERGE_RULE_VARIABLES, compileCondition } from '@scriptorium/expressions';
import type { Scope } from '@scriptorium/platform';
import { findMembers } from '../members/find-members.queries.js';

type Rules = readonly OrganizationMergeRules['rules'][number][];

/**
 * Checks what the schema of merge rules cannot: that reviewers are members, and that expressions compile.
 * @throws AppError `invalid_request` for reviewers who are no members, `condition_invalid` for an expression that does
 * not compile.
 */
export async function checkMergeRules(scope: Scope, organization: string, rules: Rules): Promise<void> {
  const found = await Promise.all(
    rules.map(async (rule, i) =>
      'users' in rule ? (await findMembers(scope, organization, rule.users)).missing(`${pathOf(i)}.users`) : [],
    ),
  );
  requireNone(found.flat());
  for (const [i, rule] of rules.entries())
    if ('expression' in rule) checkExpression(rule.expression, `${pathOf(i)}.expression`);
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
