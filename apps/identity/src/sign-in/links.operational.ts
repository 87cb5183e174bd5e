import { createHash } from 'node:crypto';
import { newId, type ServiceContext } from '@scriptorium/platform';
import type { Collection } from 'mongodb';
import type { LinkPurpose } from '../mail/letters.js';

/** A link that was e-mailed. It names nobody by address: the person, or the invitation whose address it goes to. */
export interface LinkDocument {
  _id: string;
  /** SHA-256 of the link's word. */
  hash: string;
  /** The key that its word is made with. */
  key: string;
  purpose: LinkPurpose;
  user: string | null;
  invite: string | null;
  /** Epoch ms. */
  expiresAt: number;
}

export const linkLifeMs = 15 * 60_000;

const collection = 'op_sign_in_links';
export const linkIndexes = { [collection]: [{ key: { expiresAt: 1 }, name: 'expiresAt' }, { key: { user: 1 }, name: 'user' }] } as const;

function links({ store }: ServiceContext): Collection<LinkDocument> {
  return store.database.collection<LinkDocument>(collection);
}

/** Makes a link. For an address that nobody has one is made as well, which takes as long and leads nowhere. */
export async function makeLink(context: ServiceContext, to: Pick<LinkDocument, 'purpose' | 'user' | 'invite'>): Promise<string> {
  const made = { _id: newId(), key: context.keys.current };
  const hash = hashOf(linkText(context, made) ?? '');
  await links(context).insertOne({ ...made, ...to, hash, expiresAt: context.now() + linkLifeMs });
  return made._id;
}

/** A link that can still be used. */
export async function openLink(context: ServiceContext, id: string): Promise<LinkDocument | null> {
  const link = await links(context).findOne({ _id: id });
  return link === null || link.expiresAt <= context.now() ? null : link;
}

/** The word of a link. It is stored nowhere: whoever sends it makes it again from the keyring. Null when its key is gone. */
export function linkText({ keys }: ServiceContext, { _id, key }: Pick<LinkDocument, '_id' | 'key'>): string | null {
  return keys.key('session', key) === undefined ? null : `${_id}_${keys.sign('session', `link:${_id}`, 32, key)}`;
}

/** Uses a link, which works once, of those who try at the same time for the one who removes it. Null when it does not work. */
export async function useLink(context: ServiceContext, text: string): Promise<LinkDocument | null> {
  const [id = ''] = text.split('_');
  const open = { _id: id, hash: hashOf(text), expiresAt: { $gt: context.now() } };
  const link = await links(context).findOne(open);
  if (link === null) return null;
  const { deletedCount } = await links(context).deleteOne({ _id: id });
  return deletedCount === 1 ? link : null;
}

/** Ends the links of a person that are not used yet. */
export async function endLinks(context: ServiceContext, user: string): Promise<void> {
  await links(context).deleteMany({ user });
}

export async function sweepLinks(context: ServiceContext): Promise<void> {
  await links(context).deleteMany({ expiresAt: { $lte: context.now() } });
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
