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

/** A list or an object in a path or a header: its values with commas between them. */
export function simpleText(value: unknown, isExploded: boolean): string | undefined {
  if (Array.isArray(value)) return value.map(textOfValue).join(',');
  if (!isMembers(value)) return textOfValue(value);
  return entriesOf(value)
    .map(([key, member]) => `${key}${isExploded ? '=' : ','}${textOfValue(member) ?? ''}`)
    .join(',');
}

/** Pairs with `&` between them. */
export function joinedPairs(pairs: readonly EncodedPair[]): string {
  return pairs.map(([name, value]) => `${name}=${value}`).join('&');
}

export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');
}
