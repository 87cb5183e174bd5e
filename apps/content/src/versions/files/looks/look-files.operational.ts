import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

type Within = Pick<Scope, 'database'>;

/** A file that the look of a site shows: a logo, an icon, a font. Its bytes are in the pool of the site. */
export interface LookFile {
  organization: string;
  site: string;
  /** Names the bytes within the pool. */
  hash: string;
  /** Bytes. */
  size: number;
  name: string;
  contentType: string;
  /** When it was last kept, in ms. */
  keptAt: number;
}

interface LookFileDocument extends LookFile {
  /** `<site>/<version>`. */
  _id: string;
}

export const lookFileIndexes = {
  op_look_files: [{ key: { organization: 1 }, name: 'organization' }],
} as const;

function lookFiles({ database }: Within): Collection<LookFileDocument> {
  return database.collection<LookFileDocument>('op_look_files');
}

/** Where the files of the look of a site are kept. */
export function poolOfLook(site: string): string {
  return `look_${site}`;
}

const hashInAddress = 32;

/** The part of an address that names a file of a site. */
export function versionOf(hash: string): string {
  return hash.slice(0, hashInAddress);
}

/** Adds a file. One with the same bytes stays, and counts as kept now. */
export async function putLookFile(scope: Within, { keptAt, ...file }: LookFile): Promise<void> {
  const _id = `${file.site}/${versionOf(file.hash)}`;
  await lookFiles(scope).updateOne({ _id }, { $setOnInsert: file, $set: { keptAt } }, { upsert: true });
}

export async function findLookFile(scope: Within, site: string, version: string): Promise<LookFile | undefined> {
  return (await lookFiles(scope).findOne({ _id: `${site}/${version}` })) ?? undefined;
}

/** The files of a site that were last kept before a moment, ms. */
export async function lookFilesKeptBefore(scope: Within, site: string, before: number): Promise<LookFile[]> {
  return lookFiles(scope)
    .find({ _id: { $gte: `${site}/`, $lt: `${site}0` }, keptAt: { $lt: before } })
    .toArray();
}

/** The sites of an organization whose looks have files. */
export async function sitesWithLookFiles(scope: Within, organization: string): Promise<string[]> {
  const found = await lookFiles(scope)
    .find({ organization }, { projection: { site: 1 } })
    .toArray();
  return [...new Set(found.map(({ site }) => site))];
}

/** Drops the record of a file that was last kept before a moment, ms. @returns whether it was one */
export async function dropLookFile(
  scope: Within,
  { site, hash }: Pick<LookFile, 'site' | 'hash'>,
  before: number,
): Promise<boolean> {
  const dropped = await lookFiles(scope).deleteOne({ _id: `${site}/${versionOf(hash)}`, keptAt: { $lt: before } });
  return dropped.deletedCount === 1;
}

export async function dropLookFilesOf(scope: Within, site: string): Promise<void> {
  await lookFiles(scope).deleteMany({ _id: { $gte: `${site}/`, $lt: `${site}0` } });
}
