import { refOf } from '../documents/pointers.js';
import { typeOf } from '../slices/outline.js';
import { lineOf, listOf, members, type Members } from '../text/values.js';
import { code } from './markdown-text.js';

const most = { options: 20, values: 50, levels: 5 };

/** What a schema is in words: `string`, `Pet[]`, `Cat or Dog`. */
export function typeWords(schema: unknown): string {
  return wordsAt(schema, 0);
}

function wordsAt(given: unknown, level: number): string {
  const schema = members(given);
  if (refOf(schema) !== null || level > most.levels) return typeOf(schema);
  const choice = choiceOf(schema, level);
  if (choice !== undefined) return choice;
  const { items } = schema;
  if (items === undefined || ![schema['type'] ?? 'array'].flat().includes('array')) return typeOf(schema);
  const words = wordsAt(items, level + 1);
  return words.includes(' ') ? `(${words})[]` : `${words}[]`;
}

/** One of several schemas, or all of them at once. */
function choiceOf(schema: Members, level: number): string | undefined {
  const all = listOf(schema['allOf']).filter((part) => wordsAt(part, level + 1) !== 'any');
  const options = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])];
  const isChoice = options.length > 0;
  const parts = isChoice ? options : schema['type'] === undefined ? all : [];
  if (parts.length === 0) return undefined;
  const words = new Set(parts.slice(0, most.options).map((part) => wordsAt(part, level + 1)));
  const rest = parts.length - most.options;
  return `${[...words].join(isChoice ? ' or ' : ' and ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}

/** What a value of a schema has to be, or is by default, as markdown. */
export function factsOf(schema: Members): string {
  const { const: always, default: otherwise } = schema;
  const values = listOf(schema['enum']);
  const rest = values.length - most.values;
  const shown = values.slice(0, most.values).map(valueOf).join(', ');
  return [
    values.length === 0 ? '' : `One of ${shown}${rest > 0 ? `, and ${rest} more` : ''}.`,
    always === undefined ? '' : `Always ${valueOf(always)}.`,
    otherwise === undefined ? '' : `By default ${valueOf(otherwise)}.`,
  ]
    .filter((text) => text !== '')
    .join(' ');
}

function valueOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return code(lineOf(text) || '""');
}
