import type * as z from 'zod';
import { isReason, type ErrorDetail, type Reason } from '@scriptorium/contracts';

type Issue = z.core.$ZodIssue;
type Issues = readonly Issue[];

/** Fields named in one refusal, so that a body of thousands of bad items has a short answer. */
export const maxDetails = 100;

/** A failing field, with the reason for which the request is refused if it is not `invalid_request`. */
export interface Failure extends ErrorDetail {
  reason?: Reason;
}

/** Names the failing fields of one part of a request, at most `maxDetails`. The issues need their `input` (`reportInput` of zod). */
export function detailsOf(part: string, issues: Issues): Failure[] {
  return issues
    .slice(0, maxDetails)
    .flatMap((issue) => expand(part, issue))
    .slice(0, maxDetails);
}

function expand(base: string, issue: Issue): Failure[] {
  const path = pathText(base, issue.path);
  // A discriminated union names its discriminator itself and has no branches here.
  if (issue.code !== 'invalid_union' || issue.errors.length === 0)
    return [{ path, message: issue.message.slice(0, 512), ...reasonOf(issue) }];
  const inside = issue.errors.filter((branch) => branch.every((one) => one.path.length > 0));
  const likeliest = inside.sort(likelierFirst)[0];
  if (likeliest === undefined) return [{ path, message: expectedInstead(issue.errors.flat()).slice(0, 512) }];
  return likeliest.flatMap((one) => expand(path, widened(one, inside)));
}

/** The reason that a check of a schema names itself. */
function reasonOf(issue: Issue): Pick<Failure, 'reason'> {
  const named: unknown = issue.code === 'custom' ? issue.params?.['reason'] : undefined;
  return isReason(named) ? { reason: named } : {};
}

/**
 * Orders branches of a union by how likely the value was meant for them: the one with the fewest missing fields, then the one
 * whose literals match, then the one with the most issues.
 */
function likelierFirst(a: Issues, b: Issues): number {
  return missing(a) - missing(b) || literals(a) - literals(b) || b.length - a.length;
}

function missing(branch: Issues): number {
  return branch.filter((issue) => issue.input === undefined).length;
}

function literals(branch: Issues): number {
  return branch.filter((issue) => issue.code === 'invalid_value' && issue.path.length === 1).length;
}

/** What a value should have been, if it has the wrong type or the wrong form. */
function expectedInstead(issues: Issues): string {
  const ofContent = issues.filter((issue) => issue.code !== 'invalid_type');
  if (ofContent.length > 0) return distinct(ofContent.map((issue) => issue.message)).join(', or ');
  return `Invalid input: expected ${distinct(issues.map((issue) => ('expected' in issue ? String(issue.expected) : ''))).join(' or ')}`;
}

/** If every branch expects a literal at a place, the message lists the literals of all branches. */
function widened(issue: Issue, branches: readonly Issues[]): Issue {
  if (issue.code !== 'invalid_value') return issue;
  const place = pathText('', issue.path);
  const there = branches.map((branch) =>
    branch.find((one) => one.code === 'invalid_value' && pathText('', one.path) === place),
  );
  const values = distinct(there.flatMap((one) => (one?.code === 'invalid_value' ? one.values : [])));
  if (there.includes(undefined) || values.length === issue.values.length) return issue;
  return {
    ...issue,
    values,
    message: `Invalid option: expected one of ${values.map((value) => JSON.stringify(value)).join('|')}`,
  };
}

function distinct<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}

function pathText(base: string, path: readonly PropertyKey[]): string {
  let text = base;
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : `.${String(step).slice(0, 64)}`;
  return text;
}
