import { createHash } from 'node:crypto';
import { newId, type Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';
import type { LinkPurpose } from '../../mail/index.js';

/**
 * An e-mailed link. It contains no address, only the id of the person, or of the invitation to whose address it is
 * sent.
 */
export interface LinkDocument {
  _id: string;
  /** SHA-256 of the link's one-time code. */
  hash: string;
  /** Id of the key that signs the code. */
  key: string;
  purpose: LinkPurpose;
  user: string | null;
  invite: string | null;
  /** Epoch ms. */
  expiresAt: number;
}

export const linkLifeMs = 15 * 60_000;

const collection = 'op_sign_in_links';
export const linkIndexes = {
  [collection]: [
    { key: { expiresAt: 1 }, name: 'expiresAt' },
    { key: { user: 1 }, name: 'user' },
  ],
} as const;

function links({ database }: Pick<Scope, 'database'>): Collection<LinkDocument> {
  return database.collection<LinkDocument>(collection);
}

/** Creates a link. One that works for nobody is created for an unknown address, so that both take equally long. */
export async function makeLink(scope: Scope, to: Pick<LinkDocument, 'purpose' | 'user' | 'invite'>): Promise<string> {
  const made = { _id: newId(), key: scope.keys.current };
  const hash = hashOf(linkCode(scope, made) ?? '');
  await links(scope).insertOne({ ...made, ...to, hash, expiresAt: scope.now() + linkLifeMs });
  return made._id;
}

/** The link of this id if it can still be used, otherwise null. */
export async function openLink(scope: Scope, id: string): Promise<LinkDocument | null> {
  const link = await links(scope).findOne({ _id: id });
  return link === null || link.expiresAt <= scope.now() ? null : link;
}

/**
 * The one-time code of a link. It is not stored: the mail job derives it from the keyring. Null when the key was
 * removed.
 */
export function linkCode({ keys }: Scope, { _id, key }: Pick<LinkDocument, '_id' | 'key'>): string | null {
  return keys.key('session', key) === undefined ? null : `${_id}_${keys.sign('session', `link:${_id}`, 32, key)}`;
}

/**
 * Uses a link, which works once: of several requests at the same time the one that removes it succeeds. Null when it
 * does not work.
 */
export async function useLink(scope: Scope, text: string): Promise<LinkDocument | null> {
  const [id = ''] = text.split('_');
  const open = { _id: id, hash: hashOf(text), expiresAt: { $gt: scope.now() } };
  const link = await links(scope).findOne(open);
  if (link === null) return null;
  const { deletedCount } = await links(scope).deleteOne({ _id: id });
  return deletedCount === 1 ? link : null;
}

/** Removes the unused links of a person. */
export async function endLinks(scope: Scope, user: string): Promise<void> {
  await links(scope).deleteMany({ user });
}

export async function sweepLinks(scope: Scope): Promise<void> {
  await links(scope).deleteMany({ expiresAt: { $lte: scope.now() } });
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
