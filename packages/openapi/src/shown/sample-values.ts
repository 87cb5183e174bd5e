import { entriesOf, isMembers, type Members } from '../text/values.js';

/** A name and a value, percent-encoded. */
export type EncodedPair = readonly [name: string, value: string];

/** How a value stands in a query or a form: `style` and `explode` of OpenAPI. */
export interface Style {
  style: string;
  explode: boolean;
}

/** The style of a parameter, or of the encoding of a form's field. */
export function styleOf(given: Members, otherwise = 'form'): Style {
  const style = typeof given['style'] === 'string' ? given['style'] : otherwise;
  const explode = given['explode'];
  return { style, explode: typeof explode === 'boolean' ? explode : style === 'form' };
}

/** A value as a text: what is no text, number or boolean as JSON; `undefined` stays. */
export function textOfValue(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}

/** A value that has neither members nor items as a text. */
export function textOfScalar(value: unknown): string | undefined {
  return typeof value === 'object' ? undefined : textOfValue(value);
}

const delimiters: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

/** What a query or a form carries for a value: lists that are exploded repeat the name. */
export function pairsOf(name: string, value: unknown, { style, explode }: Style): EncodedPair[] {
  const text = (one: unknown): string => encode(textOfValue(one) ?? '');
  if (Array.isArray(value)) {
    if (explode) return value.map((item): EncodedPair => [encode(name), text(item)]);
    return [[encode(name), value.map(text).join(delimiters[style] ?? ',')]];
  }
  if (!isMembers(value)) return [[encode(name), text(value)]];
  const fields = entriesOf(value);
  if (style === 'deepObject') return fields.map(([key, member]) => [encode(`${name}[${key}]`), text(member)]);
  if (explode) return fields.map(([key, member]) => [encode(key), text(member)]);
  const flat = fields.flatMap(([key, member]) => [encode(key), text(member)]);
  return [[encode(name), flat.join(delimiters[style] ?? ',')]];
}

/** A list or an object in a header: its values with commas between them. */
export function simpleText(value: unknown, isExploded: boolean): string | undefined {
  if (Array.isArray(value)) return value.map(textOfValue).join(',');
  if (!isMembers(value)) return textOfValue(value);
  return entriesOf(value)
    .map(([key, member]) => `${key}${isExploded ? '=' : ','}${textOfValue(member) ?? ''}`)
    .join(',');
}

const prefixes: Readonly<Record<string, string>> = { label: '.', matrix: ';' };

/**
 * What stands in a path for a parameter, percent-encoded: `a,b`, `.a.b` (label) or `;name=a` (matrix). A placeholder
 * stays as it is where there is no value.
 */
export function pathText(name: string, value: unknown, { style, explode }: Style, placeholder: string): string {
  const prefix = prefixes[style] ?? '';
  const text = (one: unknown): string => encode(textOfValue(one) ?? '');
  const isMatrix = style === 'matrix';
  const between = explode && prefix !== '' ? prefix : ',';
  const named = isMatrix ? `${encode(name)}=` : '';
  if (Array.isArray(value) && value.length > 0) {
    if (explode && isMatrix) return value.map((item) => `;${named}${text(item)}`).join('');
    return `${prefix}${named}${value.map(text).join(between)}`;
  }
  if (isMembers(value)) {
    const fields = entriesOf(value).map(([key, member]) => `${encode(key)}${explode ? '=' : ','}${text(member)}`);
    return `${prefix}${explode ? '' : named}${fields.join(between)}`;
  }
  const isKnown = value !== undefined && value !== '' && value !== 'string' && !Array.isArray(value);
  return `${prefix}${named}${isKnown ? text(value) : placeholder}`;
}

/** Pairs with `&` between them. */
export function joinedPairs(pairs: readonly EncodedPair[]): string {
  return pairs.map(([name, value]) => `${name}=${value}`).join('&');
}

export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');
}
