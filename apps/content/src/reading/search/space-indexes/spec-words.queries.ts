import type { Outline, OutlineOperation } from '@scriptorium/openapi';
import type { Scope } from '@scriptorium/platform';
import { replaceBlocks, type RichDocument } from '@scriptorium/rich-text';
import { contentBounds } from '@scriptorium/contracts';
import { findSpecHead, readFormPart, type SpecHead } from '../../../library/index.js';
import type { ContentObjects } from '../../../versions/index.js';
import { apiUseOf, specNamed, type ApiUse } from '../../analysis/index.js';

/** Specifications by the names that content has for them, in lower case; `undefined` for what is not there. */
export type Heads = ReadonlyMap<string, SpecHead | undefined>;

/** A document with what its blocks show of specifications as their texts: so it can be searched as any other. */
export type Describe = (document: RichDocument) => RichDocument;

/** What a specification says of an operation or a schema. */
interface Words {
  title: string;
  description: string;
  /** Names of parameters and of properties. */
  names: string;
}
type SpecWords = ReadonlyMap<string, Words>;

export async function headsOf(
  scope: Pick<Scope, 'store'>,
  organization: string,
  names: Iterable<string>,
): Promise<Heads> {
  const heads = new Map<string, SpecHead | undefined>();
  for (const name of new Set(names)) heads.set(name, await findSpecHead(scope, organization, name));
  return heads;
}

/** How documents are described with these specifications. */
export async function describing(objects: Pick<ContentObjects, 'derived' | 'files'>, heads: Heads): Promise<Describe> {
  const specs = new Map<string, SpecWords>();
  for (const [name, head] of heads) if (head !== undefined) specs.set(name, await wordsOf(objects, head));
  return (document) =>
    replaceBlocks(document, (block) => {
      const use = apiUseOf(block);
      const words = use === undefined ? undefined : specs.get(specNamed(use.ref) ?? '');
      if (use === undefined || words === undefined) return undefined;
      const said = keysOf(use.part).flatMap((key) => words.get(key) ?? []);
      // Its title and description stand before it.
      const isHeadless = block.data['headless'] === true;
      const texts = said.flatMap(({ title, description, names }) =>
        isHeadless ? [names] : [title, description, names],
      );
      const { title: own } = block.data;
      return [
        {
          ...block,
          data: { ...block.data, ...(typeof own === 'string' && { title: own }), description: texts.join('\n') },
        },
      ];
    });
}

function keysOf(part: ApiUse['part']): string[] {
  if ('schemas' in part) return part.schemas.map((name) => `schema ${name}`);
  if ('path' in part) return [`${part.method.toLowerCase()} ${part.path}`];
  return [`webhook ${part.method?.toLowerCase() ?? ''} ${part.webhook}`];
}

const charactersOfEntry = 40;

async function wordsOf(
  { derived, files }: Pick<ContentObjects, 'derived' | 'files'>,
  { spec, outline: hash }: SpecHead,
): Promise<SpecWords> {
  const name = `words of ${hash}`;
  const known = derived.get(name) as SpecWords | undefined;
  if (known !== undefined) return known;
  const most = contentBounds.computedFromBytes;
  const part = await readFormPart(files, { spec, hash }, { start: 0, end: most });
  if (part === undefined || part.size > most) return new Map();
  const words = wordsIn(JSON.parse(part.bytes.toString('utf8')) as Outline);
  derived.set(name, words, { size: 5 + Math.ceil(part.size / charactersOfEntry) });
  return words;
}

function wordsIn({ operations, webhooks, models }: Outline): SpecWords {
  const words = new Map<string, Words>();
  for (const operation of operations) words.set(`${operation.method} ${operation.path}`, wordsOfOperation(operation));
  for (const webhook of webhooks) {
    const { method, path } = webhook;
    words.set(`webhook ${method} ${path}`, wordsOfOperation(webhook));
    if (!words.has(`webhook  ${path}`)) words.set(`webhook  ${path}`, wordsOfOperation(webhook));
  }
  for (const { name, description, properties } of models) {
    const names = properties.map((property) => `${property.name} ${property.description}`).join('\n');
    words.set(`schema ${name}`, { title: name, description, names });
  }
  return words;
}

function wordsOfOperation({ title, description, names }: OutlineOperation): Words {
  return { title, description, names: names.join(' ') };
}
