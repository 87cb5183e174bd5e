import type * as z from 'zod';
import { isReason, type ErrorDetail, type Reason } from '@scriptorium/contracts';
import { beOneOf, beOneOfTypes, listed, must } from './messages.js';

type Issue = z.core.$ZodIssue;
type Issues = readonly Issue[];

/** Fields named in one refusal, so that a body of thousands of bad items has a short answer. */
export const maxDetails = 100;

/** A failing field, with the reason for which the request is refused if it is not `invalid_request`. */
export interface Failure extends ErrorDetail {
  reason?: Reason;
}

/**
 * Names the failing fields of one part of a request, at most `maxDetails`. The issues need their `input` (`reportInput`
 * of zod).
 */
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
  const [likeliest, next] = inside.sort(likelierFirst);
  if (likeliest === undefined)
    return [{ path, message: expectedInstead(issue.errors.flat(), issue.input === undefined).slice(0, 512) }];
  const isTold = next === undefined || missing(likeliest) !== missing(next) || !isEmptyObject(issue.input);
  if (!isTold) return [{ path, message: formsOf(inside).slice(0, 512) }];
  return likeliest.flatMap((one) => expand(path, widened(one, inside)));
}

/** The reason that a check of a schema names itself. */
function reasonOf(issue: Issue): Pick<Failure, 'reason'> {
  const named: unknown = issue.code === 'custom' ? issue.params?.['reason'] : undefined;
  return isReason(named) ? { reason: named } : {};
}

/**
 * Orders branches of a union by how likely the value was meant for them: the one with the fewest missing fields, then
 * the one whose literals match, then the one with the most issues.
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

/** Whether a value is an object that says nothing of what it was meant to be. */
function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** The forms that a union can have, by the fields that they require. */
function formsOf(branches: readonly Issues[]): string {
  const forms = branches.map((branch) => `{ ${branch.map(requiredField).join(', ')} }`);
  return `Must have one of the forms ${listed(distinct(forms))}`;
}

/** A missing field, with its value if it can have only one. */
function requiredField(issue: Issue): string {
  const name = pathText('', issue.path).slice(1);
  return issue.code === 'invalid_value' && issue.values.length === 1
    ? `${name}: ${JSON.stringify(issue.values[0])}`
    : name;
}

/** What a value should have been, if it is missing, has the wrong type or the wrong form. */
function expectedInstead(issues: Issues, isMissing: boolean): string {
  const ofContent = issues.filter((issue) => issue.code !== 'invalid_type');
  if (ofContent.length > 0)
    return isMissing ? 'Is required' : distinct(ofContent.map((issue) => issue.message)).join(', or ');
  const types = distinct(issues.flatMap((issue) => ('expected' in issue ? [String(issue.expected)] : [])));
  return must(beOneOfTypes(types), isMissing);
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
    message: must(beOneOf(values), issue.input === undefined),
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
