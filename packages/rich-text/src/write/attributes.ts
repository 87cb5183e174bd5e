import { type Json } from '../model/types.js';
import { unbroken } from '../syntax/spaces.js';

const ENTITIES: { [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '|': '&#124;',
  '\n': '&#10;',
  '\r': '&#13;',
  '{': '&#123;',
  '\\': '&#92;',
};

/**
 * Text for an attribute value in double quotes, of an HTML tag or of `{% … %}`, where a backslash would take the quote
 * along. Only what would be read as something else becomes a reference.
 */
export const attributeText = (value: string): string =>
  value.replace(
    /&(?=#?[A-Za-z0-9]{1,32};)|<(?=[/!?])|["\n\r]|\{(?=%)|\\$/g,
    (character) => ENTITIES[character] ?? character,
  );

/** Characters that no reference can say: markdown reads U+FFFD there. */
export const UNSAID = /(?![\t\n\f\r])[\p{Cc}\p{Noncharacter_Code_Point}]/u;

/** The name of an attribute: whatever could end it or be read as something else becomes a reference. */
const attributeName = (name: string): string =>
  name.replace(/[^\w.:-]/gu, (character) => (UNSAID.test(character) ? character : `&#${character.codePointAt(0)};`));

/** Text between HTML tags where markdown is not read. */
export const htmlText = (value: string): string =>
  value.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character);

/** Text between inline HTML tags where markdown is read: every character that could be markup becomes a reference. */
export const literalText = (value: string): string =>
  unbroken(value).replace(/[&<>*_`[\]\\~$:{|!]/g, (character) => `&#${character.charCodeAt(0)};`);

export type AttributeMap = { [name: string]: Json | undefined };

/** ` name="value"` for every value that is set; `true` writes the bare name when `bare`. */
export function attributes(values: AttributeMap, bare = false): string {
  let out = '';
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    if (bare && value === true) out += ` ${attributeName(name)}`;
    else out += ` ${attributeName(name)}="${attributeText(typeof value === 'string' ? value : JSON.stringify(value))}"`;
  }
  return out;
}
