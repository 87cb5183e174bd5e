import type * as z from 'zod';
import type { ErrorDetail } from '@scriptorium/contracts';

type Issue = z.core.$ZodIssue;
type Issues = readonly Issue[];

/** Fields named in one refusal; a body of thousands of bad items is not answered by as many lines. */
export const maxDetails = 100;

/** Names every failing field of one part of a request, at most `maxDetails`, each once per message. Issues have their `input`: zod's `reportInput`. */
export function detailsOf(part: string, issues: Issues): ErrorDetail[] {
  return issues.slice(0, maxDetails).flatMap((issue) => expand(part, issue)).slice(0, maxDetails);
}

function expand(base: string, issue: Issue): ErrorDetail[] {
  const path = pathText(base, issue.path);
  // A union with a discriminator names it by itself, and has no branches.
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ path, message: issue.message.slice(0, 512) }];
  const inside = issue.errors.filter((branch) => branch.every((one) => one.path.length > 0));
  const meant = inside.sort(closerFirst)[0];
  if (meant === undefined) return [{ path, message: wantedInstead(issue.errors.flat()).slice(0, 512) }];
  return meant.flatMap((one) => expand(path, widened(one, inside)));
}

/**
 * Orders branches of a union by how likely the value was meant for them: the one that misses the fewest fields, then the
 * one whose literals fit, then the one that knows most of what is wrong.
 */
function closerFirst(a: Issues, b: Issues): number {
  return missing(a) - missing(b) || literals(a) - literals(b) || b.length - a.length;
}

function missing(branch: Issues): number {
  return branch.filter((issue) => issue.input === undefined).length;
}

function literals(branch: Issues): number {
  return branch.filter((issue) => issue.code === 'invalid_value' && issue.path.length === 1).length;
}

/** What a value of the wrong kind, or of the right one but ill-formed, should have been. */
function wantedInstead(issues: Issues): string {
  const ofContent = issues.filter((issue) => issue.code !== 'invalid_type');
  if (ofContent.length > 0) return distinct(ofContent.map((issue) => issue.message)).join(', or ');
  return `Invalid input: expected ${distinct(issues.map((issue) => ('expected' in issue ? String(issue.expected) : ''))).join(' or ')}`;
}

/** Where every branch wants a literal, a value may be that of any of them. */
function widened(issue: Issue, branches: readonly Issues[]): Issue {
  if (issue.code !== 'invalid_value') return issue;
  const place = pathText('', issue.path);
  const there = branches.map((branch) => branch.find((one) => one.code === 'invalid_value' && pathText('', one.path) === place));
  const values = distinct(there.flatMap((one) => (one?.code === 'invalid_value' ? one.values : [])));
  if (there.includes(undefined) || values.length === issue.values.length) return issue;
  return { ...issue, values, message: `Invalid option: expected one of ${values.map((value) => JSON.stringify(value)).join('|')}` };
}

function distinct<T>(list: readonly T[]): T[] {
  return [...new Set(list)];
}

function pathText(base: string, path: readonly PropertyKey[]): string {
  let text = base;
  for (const step of path) text += typeof step === 'number' ? `[${step}]` : `.${String(step).slice(0, 64)}`;
  return text;
}
