import { blaming, requireNone, type OrganizationMergeRules } from '@scriptorium/contracts';
import { ExpressionError, MERGE_RULE_VARIABLES, compileCondition } from '@scriptorium/expressions';
import type { Scope } from '@scriptorium/platform';
import { findMembers } from '../../grants/index.js';

type Rules = OrganizationMergeRules['rules'];

/**
 * Checks what the schema of merge rules cannot: that reviewers are members, and that expressions compile.
 * @throws AppError `invalid_request` for reviewers who are no members, `condition_invalid` for an expression that does
 * not compile
 */
export async function checkMergeRules(scope: Pick<Scope, 'store'>, organization: string, rules: Rules): Promise<void> {
  const named = rules.flatMap((rule) => ('users' in rule ? rule.users : []));
  const members = await findMembers(scope, organization, named);
  requireNone(
    rules.flatMap((rule, i) =>
      ('users' in rule ? rule.users : []).flatMap((user, j) =>
        members.has(user)
          ? []
          : [
              {
                path: `body.mergeRules.rules[${i}].users[${j}]`,
                message: `${user} is not a member of the organization`,
              },
            ],
      ),
    ),
  );
  for (const [i, rule] of rules.entries())
    if ('expression' in rule) checkExpression(rule.expression, `body.mergeRules.rules[${i}].expression`);
}

function checkExpression(source: string, path: string): void {
  try {
    compileCondition(source, { variables: MERGE_RULE_VARIABLES });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw blaming('condition_invalid', path, error.message);
  }
}
