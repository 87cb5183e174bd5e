import type * as z from 'zod';
import { refusal, type SCIMType } from './refusal.js';
import { noteWrong, wordsOf, type Wrong } from './wrong.js';

/**
 * What a caller has sent, in the form of a schema. `wrong`: what is known to be wrong, by the paths of fields.
 * @throws AppError that names what is not valid, and what is known to be wrong, of the type of the first of these
 */
export function readAs<T>(schema: z.ZodType<T>, value: unknown, scimType: SCIMType, wrong: Wrong = new Map()): T {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success && wrong.size === 0) return parsed.data;
  const all = new Map(wrong);
  noteIssues(all, parsed.error, scimType);
  const [first] = all.values();
  throw refusal(first?.type ?? scimType, wordsOf(all));
}

/** Notes what a schema has found. */
export function noteIssues(wrong: Wrong, error: z.ZodError | undefined, type: SCIMType): void {
  for (const issue of error?.issues ?? []) noteWrong(wrong, pathOf(issue), wordsFor(issue), type);
}

type Issue = z.core.$ZodIssue;

function pathOf({ path }: Issue): string {
  return path.length === 0 ? 'The body' : path.map(String).join('.');
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
