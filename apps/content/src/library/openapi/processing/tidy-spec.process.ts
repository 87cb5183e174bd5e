import { specBounds } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { FileStore } from '../../../versions/index.js';
import { dropBytes, dropSomeBytes } from '../spec-bytes.operational.js';
import { dropOldTexts, dropTexts, findTexts, youngMs, yamlNameOf } from '../spec-texts.operational.js';
import { specVersions, type SpecVersionDocument } from '../spec-version.projection.js';
import type { Outcome, Spec } from '../spec.js';

/** Names of texts that were given, not fetched: their bytes have this hash. */
const isHash = /^[0-9a-f]{64}$/;

/** Drops what earlier runs have found, and the content of versions that are not kept any more. */
export async function tidy(
  scope: Scope,
  files: FileStore,
  { id, source, run, outcome }: { id: string; source: Spec['source'] | undefined; run: string; outcome: Outcome },
): Promise<void> {
  // It was deleted while it was read: what the run has kept goes, too.
  if (source === undefined) {
    await dropTexts(scope, id);
    return dropBytes(files, id);
  }
  const versions = await scope.store
    .read(specVersions)
    .find({ spec: id })
    .sort({ createdAt: -1, _id: -1 })
    .limit(2 * specBounds.versions)
    .toArray();
  // The version that this run has made may not be in the read model yet.
  const made = 'document' in outcome ? [outcome] : [];
  const others = versions.filter(({ _id }) => made.every(({ version }) => version !== _id));
  const kept = [...made, ...others.slice(0, specBounds.versions - made.length)];
  const gone = others.slice(specBounds.versions - made.length);
  const written = await yamlOf(scope, id, without(gone.map(documentOf), kept.map(documentOf)));
  const forms = [...without(gone.flatMap(formsOf), kept.flatMap(formsOf)), ...written];
  await dropSomeBytes(files, { spec: id, part: 'forms' }, { hashes: forms, before: scope.now() + 1 });
  const named = kept.map(({ document }) => yamlNameOf(document));
  const old = await dropOldTexts(scope, id, [source.name, run, ...named]);
  const sources = [...gone.flatMap(sourceOf), ...old.filter((name) => isHash.test(name))];
  const hashes = without(sources, [source.name, ...kept.flatMap(sourceOf)]);
  // Younger ones may belong to a request that is not in the log yet.
  await dropSomeBytes(files, { spec: id, part: 'source' }, { hashes, before: scope.now() - youngMs });
}

type Forms = Pick<SpecVersionDocument, 'document' | 'outline' | 'pack'>;

/** The YAML of these documents, as far as it was written. */
async function yamlOf(scope: Scope, spec: string, documents: readonly string[]): Promise<string[]> {
  const named = documents.map((document) => ({ spec, name: yamlNameOf(document) }));
  return [...(await findTexts(scope, named)).values()].flatMap(({ yaml }) => yaml ?? []);
}

function documentOf({ document }: Forms): string {
  return document;
}

function formsOf({ document, outline, pack }: Forms): string[] {
  return [document, outline, pack];
}

function sourceOf({ source }: Pick<SpecVersionDocument, 'source'>): string[] {
  return source === undefined ? [] : [source];
}

function without(hashes: readonly string[], kept: readonly string[]): string[] {
  const staying = new Set(kept);
  return [...new Set(hashes)].filter((hash) => !staying.has(hash));
}
