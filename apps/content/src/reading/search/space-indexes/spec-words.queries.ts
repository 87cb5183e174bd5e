import { AppError, contentBounds, specBounds } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import { replaceBlocks, type RichDocument } from '@scriptorium/rich-text';
import { findSpecHeads, readFormPart } from '../../../library/index.js';
import { contentTree, keys, type ContentObjects, type FileRecord } from '../../../versions/index.js';
import { apiUseOf, fileNamed, specNamed, type ApiUse } from '../../analysis/index.js';
import type { Words, WordsOfParts, wordsOfText } from './spec-words.task.js';

const wordsTask = workerTask<typeof wordsOfText>({
  name: 'words_of_specification',
  module: compiledModule('./spec-words.task.js', import.meta.url),
  run: 'wordsOfText',
  withinMs: 20_000,
  tooCostly: () => new AppError('too_large', [], { message: 'The specification takes too long to be read' }),
});
const waitMs = 30_000;

/** Content whose blocks name specifications. */
export interface NamingContent {
  organization: string;
  pool: string;
  root: string;
}

/** A specification that is searched: the outline of a version, or a file. */
export interface SearchedSpec {
  /** SHA-256 of the outline, or of the file. */
  version: string;
  from: { spec: string } | { pool: string; size: number };
}

/** Specifications by the names that content has for them; `undefined` for what is not there. */
export type SearchedSpecs = ReadonlyMap<string, SearchedSpec | undefined>;

/** A document with what its blocks show of specifications as their texts: so it can be searched as any other. */
export type Describe = (document: RichDocument) => RichDocument;

type SpecWords = ReadonlyMap<string, Words>;
type Objects = Pick<ContentObjects, 'derived' | 'files'>;

/** The specifications with these names, as content finds them now. */
export async function specsNamed(
  scope: Pick<Scope, 'store'>,
  objects: ContentObjects,
  { organization, pool, root }: NamingContent,
  names: Iterable<string>,
): Promise<SearchedSpecs> {
  const found = new Map<string, SearchedSpec | undefined>();
  for (const name of names) found.set(name, undefined);
  const all = [...found.keys()];
  const files = new Map<string, string>();
  for (const name of all) {
    const file = fileNamed(name);
    if (file !== undefined) files.set(keys.file(file), name);
  }
  const slugs = all.filter((name) => fileNamed(name) === undefined);
  const heads = slugs.length === 0 ? [] : await findSpecHeads(scope, organization, slugs);
  for (const [name, { spec, outline: version }] of heads) found.set(name, { version, from: { spec } });
  if (files.size === 0) return found;
  for (const [key, record] of await contentTree(objects, pool, root).getMany([...files.keys()])) {
    const { hash: version, size } = record as FileRecord;
    found.set(files.get(key) ?? '', { version, from: { pool, size } });
  }
  return found;
}

/** How documents are described with these specifications. */
export async function describing(
  scope: Pick<Scope, 'workers'>,
  objects: Objects,
  found: SearchedSpecs,
): Promise<Describe> {
  const specs = new Map<string, SpecWords>();
  for (const [name, spec] of found) if (spec !== undefined) specs.set(name, await wordsOf(scope, objects, spec));
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

async function wordsOf(scope: Pick<Scope, 'workers'>, objects: Objects, spec: SearchedSpec): Promise<SpecWords> {
  const { derived } = objects;
  const name = `words of ${spec.version}`;
  const known = derived.get(name) as SpecWords | undefined;
  if (known !== undefined) return known;
  const read = await readText(objects, spec);
  // What is lost may be back the next time.
  if (read === undefined) return new Map();
  const words = new Map(await wordsInWorker(scope, { text: read, isOutline: 'spec' in spec.from }));
  derived.set(name, words, { size: 5 + Math.ceil(read.length / charactersOfEntry) });
  return words;
}

async function readText({ files }: Objects, { version: hash, from }: SearchedSpec): Promise<string | undefined> {
  const most = 'pool' in from ? contentBounds.computedFromBytes : specBounds.textBytes;
  const range = { start: 0, end: most };
  const part =
    'pool' in from ? await files.part(from.pool, hash, range) : await readFormPart(files, { ...from, hash }, range);
  return part === undefined || part.size > most ? undefined : part.bytes.toString('utf8');
}

async function wordsInWorker(
  { workers }: Pick<Scope, 'workers'>,
  input: Parameters<typeof wordsOfText>[0],
): Promise<WordsOfParts> {
  try {
    return await workers.run(wordsTask, input, { deadline: Date.now() + waitMs });
  } catch (error) {
    if (error instanceof AppError && error.reason === 'too_large') return [];
    throw error;
  }
}
