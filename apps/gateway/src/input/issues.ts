import { isReason, type ErrorDetail, type Reason } from '@scriptorium/contracts';
import * as z from 'zod';

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
 * Orders branches of a union by how likely the value was meant for them: those that its `type` is for, then the one
 * with the fewest missing fields, then the one whose literals match, then the one with the most issues.
 */
function likelierFirst(a: Issues, b: Issues): number {
  return (
    ofAnotherType(a) - ofAnotherType(b) || missing(a) - missing(b) || literals(a) - literals(b) || b.length - a.length
  );
}

function ofAnotherType(branch: Issues): number {
  return branch.filter((issue) => issue.path[0] === 'type' && issue.input !== undefined && isOfAnotherKind(issue))
    .length;
}

function missing(branch: Issues): number {
  return branch.filter((issue) => issue.input === undefined).length;
}

function literals(branch: Issues): number {
  return branch.filter((issue) => issue.path.length === 1 && isOfAnotherKind(issue)).length;
}

/** Whether a value has another literal, or a `type` of another form, than the branch: it was meant for another one. */
function isOfAnotherKind({ code, path: [field] }: Issue): boolean {
  return code === 'invalid_value' || (code === 'invalid_format' && field === 'type');
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

/** An issue that has no message yet. */
type RawIssue = z.core.$ZodRawIssue;

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

const formatNames: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'a URL',
  uuid: 'a UUID',
  datetime: 'a date and time of ISO 8601, such as 2026-01-31T12:00:00Z',
  date: 'a date of ISO 8601, such as 2026-01-31',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  base64: 'base64',
  base64url: 'base64url',
};

/**
 * The message for a value that a schema refuses, if the schema gives none itself: what is expected, and whether the
 * value is missing. It repeats nothing of the value.
 */
export function messageOf(issue: RawIssue): string | undefined {
  const expected = expectedBy(issue);
  if (expected === undefined) return undefined;
  return must(expected, isMissing(issue));
}

/** The sentence about a value that is missing, or not what it must be. */
export function must(expected: string, isMissing: boolean): string {
  return isMissing ? `Is required, and must ${expected}` : `Must ${expected}`;
}

/** What a value must be, by the names of types: `be a string or an object`. */
export function beOneOfTypes(types: readonly string[]): string {
  return `be ${listed(types.map(typeName))}`;
}

/** What a value must be, by the literals that are allowed: `be one of "a", "b"`. */
export function beOneOf(values: readonly unknown[]): string {
  const texts = values.map((value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value)));
  return texts.length === 1 ? `be ${texts[0]}` : `be one of ${texts.join(', ')}`;
}

/** Alternatives as a sentence has them: `a, b or c`. */
export function listed(alternatives: readonly string[]): string {
  const last = alternatives.at(-1) ?? '';
  return alternatives.length < 2 ? last : `${alternatives.slice(0, -1).join(', ')} or ${last}`;
}

function typeName(type: string): string {
  return typeNames[type] ?? type;
}

function expectedBy(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `be ${typeName(isInteger(issue) ? 'int' : issue.expected)}`;
    case 'invalid_value':
      return beOneOf(issue.values);
    case 'invalid_format':
      return formOf(issue);
    case 'too_small':
      return boundOf(issue.origin, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return boundOf(issue.origin, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    case 'invalid_union':
      return optionsOf(issue);
    default:
      return undefined;
  }
}

/** Whether the schema is one of integers, also when it refuses what is no number at all. */
function isInteger({ inst }: RawIssue): boolean {
  return inst instanceof z.core.$ZodNumberFormat;
}

function formOf({ format, pattern }: Extract<RawIssue, { code: 'invalid_format' }>): string | undefined {
  if (format === 'regex') return pattern === undefined ? undefined : `match the pattern ${pattern}`;
  const name = formatNames[format];
  return name === undefined ? undefined : `be ${name}`;
}

const units: Readonly<Record<string, string>> = { string: 'character', array: 'item', object: 'key' };

function boundOf(origin: string, bound: number | bigint, comparison: string): string {
  const unit = units[origin];
  if (unit === undefined) return `be ${comparison} ${bound}`;
  return `have ${comparison} ${bound} ${unit}${Number(bound) === 1 ? '' : 's'}`;
}

/** The values of the field that tells the options of a union apart. */
function optionsOf(issue: Extract<RawIssue, { code: 'invalid_union' }>): string | undefined {
  const options: unknown = 'options' in issue ? issue.options : undefined;
  return Array.isArray(options) && options.length > 0 ? beOneOf(options) : undefined;
}

function isMissing(issue: RawIssue): boolean {
  if (issue.code !== 'invalid_union') return issue.input === undefined;
  const { input } = issue;
  const field: unknown = 'discriminator' in issue ? issue.discriminator : undefined;
  if (typeof field !== 'string' || typeof input !== 'object' || input === null) return input === undefined;
  return !Object.hasOwn(input, field);
}
