import { compileCondition, ExpressionError, VISITOR_VARIABLES } from '@scriptorium/expressions';

/** Whether a condition can be evaluated. One that cannot would hide a page from all visitors. */
export function compiles(condition: unknown): boolean {
  if (typeof condition !== 'string') return condition === undefined;
  try {
    compileCondition(condition, { variables: VISITOR_VARIABLES });
    return true;
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}
