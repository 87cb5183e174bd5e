import * as z from 'zod';

type Issue = z.core.$ZodRawIssue;

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
export function messageOf(issue: Issue): string | undefined {
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

function expectedBy(issue: Issue): string | undefined {
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
function isInteger({ inst }: Issue): boolean {
  return inst instanceof z.core.$ZodNumberFormat;
}

function formOf({ format, pattern }: Extract<Issue, { code: 'invalid_format' }>): string | undefined {
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
function optionsOf(issue: Extract<Issue, { code: 'invalid_union' }>): string | undefined {
  const options: unknown = 'options' in issue ? issue.options : undefined;
  return Array.isArray(options) && options.length > 0 ? beOneOf(options) : undefined;
}

function isMissing(issue: Issue): boolean {
  if (issue.code !== 'invalid_union') return issue.input === undefined;
  const { input } = issue;
  const field: unknown = 'discriminator' in issue ? issue.discriminator : undefined;
  if (typeof field !== 'string' || typeof input !== 'object' || input === null) return input === undefined;
  return !Object.hasOwn(input, field);
}
