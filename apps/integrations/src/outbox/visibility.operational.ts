import type { ServiceContext } from '@scriptorium/platform';
import type { Collection } from 'mongodb';
import type { SpaceVisibility } from './space-visibility.js';

type Within = Pick<ServiceContext, 'database'>;

/** The visibility of a space of which everything was told. */
export interface VisibilityDocument {
  _id: string;
  organization: string;
  present: SpaceVisibility;
  /** What was told last: from which other one, and because of which event of the log; `null` before that. */
  last: { previous: SpaceVisibility; position: number } | null;
}

export const visibilityIndexes = {
  op_space_visibility: [{ key: { organization: 1, present: 1 }, name: 'organization_present' }],
} as const;

export function visibilities({ database }: Within): Collection<VisibilityDocument> {
  return database.collection<VisibilityDocument>('op_space_visibility');
}

/** Stores visibilities of spaces of which none is stored. */
export async function addVisibilities(
  scope: Within,
  added: readonly Pick<VisibilityDocument, '_id' | 'organization' | 'present'>[],
): Promise<void> {
  if (added.length === 0) return;
  const writes = added.map(({ _id, organization, present }) => ({
    updateOne: { filter: { _id }, update: { $setOnInsert: { organization, present, last: null } }, upsert: true },
  }));
  await visibilities(scope).bulkWrite(writes, { ordered: false });
}

/** Forgets a space. */
export async function dropVisibility(scope: Within, space: string): Promise<void> {
  await visibilities(scope).deleteOne({ _id: space });
}
