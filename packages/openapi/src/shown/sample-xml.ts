import { refOf } from '../documents/pointers.js';
import { schemaKey } from '../slices/schema-key.js';
import { entriesOf, isMembers, lineOf, listOf, members, type Members } from '../text/values.js';
import { textOfValue } from './sample-values.js';
import { wholeSchema } from './whole-schema.js';

type Schemas = Readonly<Record<string, unknown>>;

/** A value as XML, as the `xml` objects of its schema say. */
export function xmlOf(value: unknown, schema: unknown, schemas: Schemas): string {
  const known = new Map<unknown, Members>();
  const whole = wholeOf(schema);
  const ref = refOf(schema);
  const root = (ref === null ? null : schemaKey(ref)) ?? lineOf(whole['title']);
  const name = nameOf(whole, root === '' ? 'root' : root);
  const content = Array.isArray(value) ? wrapped(name, listOf(value), whole) : element(name, value, whole);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${content.join('\n')}`;

  /** Lists have the same schema for each of their items. */
  function wholeOf(given: unknown): Members {
    const found = known.get(given) ?? wholeSchema(given, schemas);
    known.set(given, found);
    return found;
  }

  function element(tag: string, given: unknown, own: Members): string[] {
    const attributes = [namespaceOf(own)];
    const content: string[] = [];
    for (const [key, member] of entriesOf(given)) {
      const property = wholeOf(members(own['properties'])[key]);
      if (members(property['xml'])['attribute'] === true)
        attributes.push(` ${nameOf(property, key)}="${escaped(textOfValue(member) ?? '')}"`);
      else content.push(...elements(key, member, property));
    }
    const start = `${tag}${attributes.join('')}`;
    if (isMembers(given)) return content.length === 0 ? [`<${start}/>`] : within(start, tag, content);
    return [`<${start}>${escaped(textOfValue(given ?? '') ?? '')}</${tag}>`];
  }

  /** A list is an element for each of its items, in one of its own where the schema says so. */
  function elements(key: string, given: unknown, own: Members): string[] {
    const tag = nameOf(own, key);
    if (!Array.isArray(given)) return element(tag, given, own);
    if (members(own['xml'])['wrapped'] === true) return wrapped(tag, given, own);
    return itemsOf(tag, given, own);
  }

  function wrapped(tag: string, given: readonly unknown[], own: Members): string[] {
    return within(`${tag}${namespaceOf(own)}`, tag, itemsOf(tag, given, own));
  }

  function itemsOf(tag: string, given: readonly unknown[], own: Members): string[] {
    const item = wholeOf(own['items']);
    return listOf(given).flatMap((one) => element(nameOf(item, tag), one, item));
  }
}

function within(start: string, tag: string, lines: readonly string[]): string[] {
  return [`<${start}>`, ...lines.map((line) => `  ${line}`), `</${tag}>`];
}

/** The name of an element or attribute, without what no name may have. */
function nameOf(schema: Members, otherwise: string): string {
  const { name, prefix } = members(schema['xml']);
  const plain = (text: string): string => text.replace(/[^\p{L}\p{N}_.-]/gu, '_').replace(/^(?=[^\p{L}_])/u, '_');
  const own = plain(lineOf(name) || lineOf(otherwise) || '_');
  return lineOf(prefix) === '' ? own : `${plain(lineOf(prefix))}:${own}`;
}

function namespaceOf(schema: Members): string {
  const { namespace, prefix } = members(schema['xml']);
  if (lineOf(namespace) === '') return '';
  const of = lineOf(prefix).replace(/[^\p{L}\p{N}_.-]/gu, '_');
  return ` xmlns${of === '' ? '' : `:${of}`}="${escaped(lineOf(namespace))}"`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
