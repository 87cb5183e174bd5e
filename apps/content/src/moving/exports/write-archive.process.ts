import { AppError } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import { canonical } from '@scriptorium/tree';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { stringify } from 'yaml';
import yazl from 'yazl';
import {
  type ContentObjects,
  type ContentTree,
  variablesOf,
  type Page,
  type PageAttributes,
} from '../../versions/index.js';
import {
  configPath,
  manifestPath,
  objectPath,
  summaryPath,
  variablesPath,
  type Manifest,
  writeSummary,
} from '../archive-format/index.js';
import { layOut, type Layout } from './layout.js';
import { navigationOf } from './navigation.js';
import { fileToWrite, writeFile, type FileToWrite } from './page-file.js';

const writeTask = workerTask<typeof writeFile>({
  name: 'write_page_file',
  module: compiledModule('./page-file.js', import.meta.url),
  run: 'writeFile',
  withinMs: 10_000,
  tooCostly: () => new AppError('too_large', [], { message: 'A page takes too long to be written' }),
});

/** Documents up to this length are written at once: a worker would take longer. */
const longestInline = 16_384;
/** Documents that are read from the database together. */
const atOnce = 50;
const depthOfManifest = 64;

/** What an archive is made of. */
interface Source {
  scope: Pick<Scope, 'workers'>;
  objects: ContentObjects;
  tree: ContentTree;
}

/** An entry of an archive: its path, and what makes its bytes when they are needed. */
interface Entry {
  path: string;
  bytes: () => Promise<Readable>;
}

/**
 * A content as a zip. The same content gives the same bytes: entries have a fixed order and the same date. Nothing is
 * made before it is read, and what is not read to its end has to be destroyed.
 */
export async function writeArchive(
  scope: Source['scope'],
  objects: ContentObjects,
  tree: ContentTree,
): Promise<Readable> {
  const entries = await entriesOf({ scope, objects, tree });
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => void output.destroy(error));
  for (const { path, bytes } of entries)
    zip.addReadStreamLazy(path, options, (give) => {
      bytes().then(
        (stream) => {
          stream.on('error', (error) => void output.destroy(error));
          // Whoever stops in the middle of a file leaves it open otherwise.
          const close = (): void => void stream.destroy();
          output.once('close', close);
          stream.once('close', () => void output.off('close', close));
          give(null, stream);
        },
        (error: unknown) => void output.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    });
  zip.end();
  return output;
}

/** The first moment that zips know, in whatever zone. */
const options = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true, compressionLevel: 6 };

function textEntry(path: string, text: () => string | Promise<string>): Entry {
  return { path, bytes: async () => Readable.from([Buffer.from(await text())], { objectMode: false }) };
}

async function entriesOf(source: Source): Promise<Entry[]> {
  const { objects, tree } = source;
  const layout = await layOut(tree);
  const summary = writeSummary(navigationOf(layout));
  const variables = await variablesOf(tree);
  const hashes = new Map<string, string>();
  const blobs = await objects.files.blobs();
  const files = layout.files.map(({ id, hash }): Entry => ({
    path: layout.paths.get(id) ?? id,
    bytes: async () => {
      const found = await blobs.read(tree.pool, hash);
      if (found === undefined) throw new AppError('not_found');
      return found.stream;
    },
  }));
  return [
    textEntry(configPath, () => 'root: ./\n\nstructure:\n  summary: SUMMARY.md\n'),
    textEntry(summaryPath, () => summary),
    ...documentEntries(source, layout, hashes),
    ...(Object.keys(variables).length === 0 ? [] : [textEntry(variablesPath, () => stringify(variables))]),
    ...files,
    textEntry(manifestPath, () => canonical(manifestOf(layout, sha256(summary), hashes), depthOfManifest)),
  ];
}

/** Something with stored objects: a page, or a reusable content. */
interface Stored {
  id: string;
  document?: string | undefined;
  attributes?: string | undefined;
  page?: Page;
}

/** The files of pages and reusable contents, each followed by the stored objects that it is made of. */
function documentEntries(source: Source, layout: Layout, hashes: Map<string, string>): Entry[] {
  const all: Stored[] = [
    ...layout.pages.map((page) => ({ id: page.id, document: page.document, attributes: page.attributes, page })),
    ...layout.reusableContents.map(({ id, document }) => ({ id, document })),
  ];
  const texts = reader(source, all);
  const shown = new Set<string>();
  return all.flatMap((one, index) => {
    const path = layout.paths.get(one.id);
    const file = async (): Promise<string> => {
      const markdown = await written(source, fileOf(layout, path ?? '', one, await texts(index)));
      hashes.set(one.id, sha256(markdown));
      return markdown;
    };
    const fresh = namesIn(one).filter((name) => !shown.has(name));
    for (const name of fresh) shown.add(name);
    const stored = fresh.map((name) => textEntry(objectPath(name), async () => textIn(await texts(index), name)));
    return path === undefined || one.document === undefined ? stored : [textEntry(path, file), ...stored];
  });
}

function namesIn({ document, attributes }: Stored): string[] {
  return [document, attributes].filter((name) => name !== undefined);
}

function fileOf(
  layout: Layout,
  path: string,
  { document = '', attributes, page }: Stored,
  texts: ReadonlyMap<string, string>,
): FileToWrite {
  const more = attributes === undefined ? undefined : (JSON.parse(textIn(texts, attributes)) as PageAttributes);
  return fileToWrite(layout, path, { text: textIn(texts, document), page, attributes: more });
}

async function written({ scope: { workers } }: Source, file: FileToWrite): Promise<string> {
  if (file.text.length <= longestInline) return writeFile(file);
  return workers.run(writeTask, file, { deadline: Date.now() + 60_000 });
}

/** Reads stored objects some documents at a time, as they are asked for in their order. */
function reader({ objects, tree }: Source, all: readonly Stored[]) {
  let known: { from: number; texts: Promise<Map<string, string>> } | undefined;
  return (index: number): Promise<Map<string, string>> => {
    const from = index - (index % atOnce);
    if (known?.from !== from) {
      const names = all.slice(from, from + atOnce).flatMap(namesIn);
      known = { from, texts: objects.texts(tree.pool, [...new Set(names)]) };
    }
    return known.texts;
  };
}

function textIn(texts: ReadonlyMap<string, string>, name: string): string {
  const text = texts.get(name);
  if (text === undefined) throw new AppError('unexpected', [], { message: `The object ${name} is missing` });
  return text;
}

function manifestOf(layout: Layout, summary: string, hashes: ReadonlyMap<string, string>): Manifest {
  const { pages, files, reusableContents, paths } = layout;
  return {
    format: 1,
    summary,
    pages: pages.map(({ id, ...record }) => {
      const path = paths.get(id);
      const sha256 = hashes.get(id);
      return { id, ...(path === undefined ? {} : { path }), ...(sha256 === undefined ? {} : { sha256 }), record };
    }),
    files: files.map(({ id, ...record }) => ({ id, path: paths.get(id) ?? '', record })),
    reusableContents: reusableContents.map(({ id, ...record }) => ({
      id,
      path: paths.get(id) ?? '',
      sha256: hashes.get(id) ?? '',
      record,
    })),
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
