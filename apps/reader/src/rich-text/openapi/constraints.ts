import { isMembers, lineOf, listOf, textOf, type Members } from '@scriptorium/openapi/shown';
import { classes, el, type Child, type HtmlNode } from '../html.js';

/** What a value has to be, in words: "at least 1, at most 100 characters". */
export function constraintsOf(schema: Members): HtmlNode | undefined {
  const parts: Child[][] = [
    ...lengths(schema, ['minLength', 'maxLength'], 'character'),
    ...range(schema),
    ...numberIn(schema, 'multipleOf', (number) => `a multiple of ${number}`),
    ...lengths(schema, ['minItems', 'maxItems'], 'item'),
    ...(schema['uniqueItems'] === true ? [['no item twice']] : []),
    ...lengths(schema, ['minProperties', 'maxProperties'], 'property', 'properties'),
    ...(schema['additionalProperties'] === false ? [['no other properties']] : []),
    ...(textOf(schema['pattern']) === '' ? [] : [['matches ', code(schema['pattern'])]]),
    ...(schema['const'] === undefined ? [] : [['always ', code(schema['const'])]]),
    ...(schema['default'] === undefined ? [] : [['by default ', code(schema['default'])]]),
  ];
  if (parts.length === 0) return undefined;
  return el('p', classes('constraints'), ...parts.map((part, index) => (index === 0 ? part : [', ', ...part])));
}

type Pair = readonly [least: string, most: string];

function lengths(schema: Members, names: Pair, one: string, several = `${one}s`): string[][] {
  const [least, most] = names
    .map((name) => schema[name])
    .map((value) => (typeof value === 'number' ? value : undefined));
  const unit = (count: number): string => (count === 1 ? one : several);
  if (least !== undefined && least === most) return [[`exactly ${least} ${unit(least)}`]];
  const isLimited = least !== undefined && least > 0;
  if (isLimited && most !== undefined) return [[`at least ${least}, at most ${most} ${unit(most)}`]];
  if (isLimited) return [[`at least ${least} ${unit(least)}`]];
  return most === undefined ? [] : [[`at most ${most} ${unit(most)}`]];
}

function range(schema: Members): string[][] {
  return [
    ...numberIn(schema, 'minimum', (number) => `at least ${number}`),
    ...numberIn(schema, 'exclusiveMinimum', (number) => `more than ${number}`),
    ...numberIn(schema, 'maximum', (number) => `at most ${number}`),
    ...numberIn(schema, 'exclusiveMaximum', (number) => `less than ${number}`),
  ];
}

function numberIn(schema: Members, name: string, say: (number: number) => string): string[][] {
  const value = schema[name];
  return typeof value === 'number' ? [[say(value)]] : [];
}

/** A value of a specification, as code. */
export function code(value: unknown): HtmlNode {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) as string | undefined);
  return el('code', {}, lineOf(text) || '""');
}

const mostValues = 100;

/** The values of an `enum`, with what is said of them. */
export function valuesOf(schema: Members): HtmlNode[] {
  const values = listOf(schema['enum']);
  if (values.length === 0) return [];
  const shown = values.slice(0, mostValues);
  const rest = values.length - shown.length;
  const more = rest === 0 ? undefined : ` and ${rest} more`;
  const about = shown.map((value, index) => descriptionOf(schema, value, index));
  if (about.every((one) => one === ''))
    return [
      el(
        'p',
        classes('values'),
        'One of ',
        shown.map((value, index) => [index === 0 ? undefined : ' ', code(value)]),
        more,
      ),
    ];
  const items = shown.map((value, index) =>
    el('li', {}, code(value), about[index] === '' ? undefined : `: ${about[index] ?? ''}`),
  );
  return [el('p', classes('values'), 'One of:'), el('ul', classes('values'), items, more && el('li', {}, more.trim()))];
}

/** What is said of one value: by the value itself, or in the order of the values. */
function descriptionOf(schema: Members, value: unknown, index: number): string {
  const given = schema['x-enumDescriptions'] ?? schema['x-enum-descriptions'];
  const key = String(value);
  if (isMembers(given)) return Object.hasOwn(given, key) ? lineOf(given[key]) : '';
  return lineOf(listOf(given)[index]);
}
