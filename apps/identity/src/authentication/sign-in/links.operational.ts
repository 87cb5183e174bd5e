import { createHash } from 'node:crypto';
import { newId, type Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';
import type { LinkPurpose } from '../../mail/index.js';

/** A link that was e-mailed. It holds no address: only the id of the person, or of the invitation whose address it goes to. */
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

/** Makes a link. One is made for an unknown address as well, which works for nobody, so that both take equally long. */
export async function makeLink(scope: Scope, to: Pick<LinkDocument, 'purpose' | 'user' | 'invite'>): Promise<string> {
  const made = { _id: newId(), key: scope.keys.current };
  const hash = hashOf(linkCode(scope, made) ?? '');
  await links(scope).insertOne({ ...made, ...to, hash, expiresAt: scope.now() + linkLifeMs });
  return made._id;
}

/** A link that can still be used. */
export async function openLink(scope: Scope, id: string): Promise<LinkDocument | null> {
  const link = await links(scope).findOne({ _id: id });
  return link === null || link.expiresAt <= scope.now() ? null : link;
}

/** The one-time code of a link. It is not stored: whoever sends the link derives it from the keyring. Null when its key was removed. */
export function linkCode({ keys }: Scope, { _id, key }: Pick<LinkDocument, '_id' | 'key'>): string | null {
  return keys.key('session', key) === undefined ? null : `${_id}_${keys.sign('session', `link:${_id}`, 32, key)}`;
}

/** Uses a link, which works once, of those who try at the same time for the one who removes it. Null when it does not work. */
export async function useLink(scope: Scope, text: string): Promise<LinkDocument | null> {
  const [id = ''] = text.split('_');
  const open = { _id: id, hash: hashOf(text), expiresAt: { $gt: scope.now() } };
  const link = await links(scope).findOne(open);
  if (link === null) return null;
  const { deletedCount } = await links(scope).deleteOne({ _id: id });
  return deletedCount === 1 ? link : null;
}

/** Removes the links of a person that are not used yet. */
export async function endLinks(scope: Scope, user: string): Promise<void> {
  await links(scope).deleteMany({ user });
}

export async function sweepLinks(scope: Scope): Promise<void> {
  await links(scope).deleteMany({ expiresAt: { $lte: scope.now() } });
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
