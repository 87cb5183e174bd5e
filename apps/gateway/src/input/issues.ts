import type * as z from 'zod';
import type { ErrorDetail } from '@scriptorium/contracts';

type Issue = z.core.$ZodIssue;

/** Fields named in one refusal; a body of thousands of bad items is not answered by as many lines. */
export const maxDetails = 100;

/** Names every failing field of one part of a request, at most `maxDetails`, each once per message. */
export function detailsOf(part: string, issues: readonly Issue[]): ErrorDetail[] {
  return issues.slice(0, maxDetails).flatMap((issue) => expand(part, issue)).slice(0, maxDetails);
}

function expand(base: string, issue: Issue): ErrorDetail[] {
  const path = pathText(base, issue.path);
  const branch = issue.code === 'invalid_union' ? closestBranch(issue.errors) : undefined;
  if (branch !== undefined) return branch.flatMap((inner) => expand(path, inner));
  return [{ path, message: issue.message.slice(0, 512) }];
}

/**
 * The branch of a union that the value was meant for: the only one whose complaints are about something inside the
 * value, or about its content rather than its kind.
 */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const close = branches.filter((issues) => issues.length > 0 && issues.every((i) => i.path.length > 0 || i.code !== 'invalid_type'));
  return close.length === 1 ? close[0] : undefined;
}

function pathText(base: string, path: readonly PropertyKey[]): string {
  let text = base;
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : `.${String(step).slice(0, 64)}`;
  return text;
}
