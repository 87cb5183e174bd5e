import type * as z from 'zod';
import { refusal, type SCIMType } from './refusal.js';

/** What a caller has sent, in the form of a schema. @throws AppError of the type that names what is not valid */
export function readAs<T>(schema: z.ZodType<T>, value: unknown, scimType: SCIMType): T {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw refusal(scimType, parsed.error.issues.map(describeIssue).join('; '));
}

type Issue = z.core.$ZodIssue;

function describeIssue(issue: Issue): string {
  const path = issue.path.map(String).join('.');
  return `${path === '' ? 'The body' : path} ${wordsFor(issue)}`;
}

/** In words of SCIM: a parser's own speak of the program. */
function wordsFor(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${kindWords[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must have at least ${String(issue.minimum)} values`;
    case 'too_big':
      return `must have at most ${String(issue.maximum)} ${issue.origin === 'string' ? 'characters' : 'values'}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return issue.format === 'email' ? 'must be an e-mail address' : 'has another form';
    case 'custom':
      return lowered(issue.message);
    default:
      return 'is not valid';
  }
}

const kindWords: Readonly<Partial<Record<string, string>>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** The own words of a schema begin a sentence. */
function lowered(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
