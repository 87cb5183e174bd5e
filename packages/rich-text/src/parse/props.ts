import { type Data, type Json } from '../model/types.js';
import { type Attributes } from '../syntax/md.js';

/** The value an attribute stands for: JSON where it is JSON, otherwise the text. */
export function propValue(value: string): Json {
  if (!/^(?:[[{"]|-?\d|true$|false$|null$)/.test(value)) return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

/** An attribute value for `value`; text that could be taken for JSON is written as a JSON string. */
export function propText(value: Json | undefined): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  return propValue(value) === value ? value : JSON.stringify(value);
}

/** Attributes of an integration block: the reserved ones apart, the others as its properties. */
export function attributeData(attributes: Attributes, reserved: readonly string[]): { own: Attributes; props: Data } {
  const own: Attributes = Object.create(null) as Attributes;
  const props: Data = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name === '__proto__') continue;
    if (reserved.includes(name)) own[name] = value;
    else props[name] = propValue(value);
  }
  return { own, props };
}
