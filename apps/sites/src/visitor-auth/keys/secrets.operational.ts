import type { Scope } from '@scriptorium/platform';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Collection } from 'mongodb';

type Within = Pick<Scope, 'database' | 'keys'>;

/** A secret of a site, encrypted. */
interface SecretDocument {
  /** `<site>:<version>`. */
  _id: string;
  site: string;
  /** The id of the key of the installation that it is encrypted with. */
  key: string;
  /** Nonce, tag and ciphertext, in base64url. */
  sealed: string;
}

export const secretIndexes = { op_secrets: [{ key: { site: 1 }, name: 'site' }] } as const;

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

function secrets({ database }: Pick<Scope, 'database'>): Collection<SecretDocument> {
  return database.collection<SecretDocument>('op_secrets');
}

/**
 * Stores the secret of a version, unless there is one. It cannot be told apart from another one without the keys of the
 * installation.
 */
export async function addSecret(scope: Within, { site, version }: SecretName, text: string): Promise<void> {
  const _id = idOf({ site, version });
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, keyOf(scope, scope.keys.current), nonce);
  cipher.setAAD(Buffer.from(_id));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const sealed = Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url');
  const fields = { site, key: scope.keys.current, sealed };
  await secrets(scope).updateOne({ _id }, { $setOnInsert: fields }, { upsert: true });
}

/** Which secret: of which site, and its version. */
export interface SecretName {
  site: string;
  version: number;
}

/** The secret of a version; `undefined` when there is none. */
export async function findSecret(scope: Within, name: SecretName): Promise<string | undefined> {
  const found = await secrets(scope).findOne({ _id: idOf(name) });
  if (found === null) return undefined;
  const bytes = Buffer.from(found.sealed, 'base64url');
  const decipher = createDecipheriv(algorithm, keyOf(scope, found.key), bytes.subarray(0, nonceBytes));
  decipher.setAAD(Buffer.from(found._id));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
}

/** Removes what is too old to be of use: all before a version. */
export async function dropSecretsBefore(scope: Pick<Scope, 'database'>, { site, version }: SecretName): Promise<void> {
  const old = (await secrets(scope).find({ site }).project<{ _id: string }>({ _id: 1 }).toArray()).filter(
    ({ _id }) => Number(_id.slice(site.length + 1)) < version,
  );
  if (old.length > 0) await secrets(scope).deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
}

/** Removes all secrets of a site. */
export async function dropSecrets(scope: Pick<Scope, 'database'>, site: string): Promise<void> {
  await secrets(scope).deleteMany({ site });
}

function idOf({ site, version }: SecretName): string {
  return `${site}:${version}`;
}

/** @throws for a key that the installation does not have any more */
function keyOf({ keys }: Pick<Scope, 'keys'>, id: string): Buffer {
  const key = keys.key('secrets-at-rest', id);
  if (key === undefined) throw new Error(`The keyring has no key ${id}`);
  return key;
}
