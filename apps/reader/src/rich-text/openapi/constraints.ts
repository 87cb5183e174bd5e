import { isMembers, lineOf, listOf, textOf, type Members } from '@scriptorium/openapi/shown';
import type { ApiTexts } from '../../texts/api/api-texts.js';
import { filled } from '../../texts/texts.js';
import { filledNodes } from '../filled-nodes.js';
import { classes, el, type Child, type HtmlNode } from '../html.js';

/** What a value has to be, in words: "at least 1, at most 100 characters". */
export function constraintsOf(say: ApiTexts, schema: Members): HtmlNode | undefined {
  const parts: Child[][] = [
    ...lengths(say, schema, ['minLength', 'maxLength'], [say.character, say.characters]),
    ...range(say, schema),
    ...numberIn(schema, 'multipleOf', say.multipleOf),
    ...lengths(say, schema, ['minItems', 'maxItems'], [say.item, say.items]),
    ...(schema['uniqueItems'] === true ? [[say.noItemTwice]] : []),
    ...lengths(say, schema, ['minProperties', 'maxProperties'], [say.property, say.properties]),
    ...(schema['additionalProperties'] === false ? [[say.noOtherProperties]] : []),
    ...(textOf(schema['pattern']) === '' ? [] : [filledNodes(say.matches, { value: code(schema['pattern']) })]),
    ...(schema['const'] === undefined ? [] : [filledNodes(say.always, { value: code(schema['const']) })]),
    ...(schema['default'] === undefined ? [] : [filledNodes(say.byDefault, { value: code(schema['default']) })]),
  ];
  if (parts.length === 0) return undefined;
  return el('p', classes('constraints'), ...parts.map((part, index) => (index === 0 ? part : [', ', ...part])));
}

type Pair = readonly [least: string, most: string];
/** What is counted, as it is called for one of them and for several. */
type Unit = readonly [one: string, several: string];

function lengths(say: ApiTexts, schema: Members, names: Pair, unit: Unit): string[][] {
  const [least, most] = names
    .map((name) => schema[name])
    .map((value) => (typeof value === 'number' ? value : undefined));
  const unitOf = (count: number): string => unit[count === 1 ? 0 : 1];
  if (least !== undefined && least === most) return [[filled(say.exactly, { count: least, unit: unitOf(least) })]];
  const isLimited = least !== undefined && least > 0;
  if (isLimited && most !== undefined) return [[filled(say.between, { least, most, unit: unitOf(most) })]];
  if (isLimited) return [[filled(say.noFewer, { least, unit: unitOf(least) })]];
  return most === undefined ? [] : [[filled(say.noMore, { most, unit: unitOf(most) })]];
}

function range(say: ApiTexts, schema: Members): string[][] {
  return [
    ...numberIn(schema, 'minimum', say.atLeast),
    ...numberIn(schema, 'exclusiveMinimum', say.moreThan),
    ...numberIn(schema, 'maximum', say.atMost),
    ...numberIn(schema, 'exclusiveMaximum', say.lessThan),
  ];
}

function numberIn(schema: Members, name: string, text: string): string[][] {
  const value = schema[name];
  return typeof value === 'number' ? [[filled(text, { number: value })]] : [];
}

/** A value of a specification, as code. */
export function code(value: unknown): HtmlNode {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) as string | undefined);
  return el('code', {}, lineOf(text) || '""');
}

const mostValues = 100;

/** The values of an `enum`, with what is said of them. */
export function valuesOf(say: ApiTexts, schema: Members): HtmlNode[] {
  const values = listOf(schema['enum']);
  if (values.length === 0) return [];
  const shown = values.slice(0, mostValues);
  const rest = values.length - shown.length;
  const more = rest === 0 ? undefined : filled(say.andMore, { count: rest });
  const about = shown.map((value, index) => descriptionOf(schema, value, index));
  if (about.every((one) => one === '')) {
    const list = shown.map((value, index): Child => [index === 0 ? undefined : ' ', code(value)]);
    const all = more === undefined ? list : [...list, ` ${more}`];
    return [el('p', classes('values'), filledNodes(say.oneOfValues, { values: all }))];
  }
  const items = shown.map((value, index) =>
    el('li', {}, code(value), about[index] === '' ? undefined : `: ${about[index] ?? ''}`),
  );
  const last = more === undefined ? undefined : el('li', {}, more);
  return [el('p', classes('values'), say.oneOfThese), el('ul', classes('values'), items, last)];
}

/** What is said of one value: by the value itself, or in the order of the values. */
function descriptionOf(schema: Members, value: unknown, index: number): string {
  const given = schema['x-enumDescriptions'] ?? schema['x-enum-descriptions'];
  const key = String(value);
  if (isMembers(given)) return Object.hasOwn(given, key) ? lineOf(given[key]) : '';
  return lineOf(listOf(given)[index]);
}
