import type { Collection, Db } from 'mongodb';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Keyring } from '../process/keyring.js';
import type { OperationalIndexes } from '../service/domain.js';

/** Names a text: whose it is, which part of it, if it has parts, and the version. */
export interface SealedName {
  owner: string;
  part?: string | undefined;
  version: string | number;
}

interface Within {
  database: Db;
  keys: Pick<Keyring, 'current' | 'key'>;
}

/** An encrypted text. */
interface SealedDocument {
  /** `<owner>:<version>`, or `<owner>:<part>:<version>`. */
  _id: string;
  part?: string;
  /** The id of the key of the installation that it is encrypted with. */
  key: string;
  /** Nonce, tag and ciphertext, in base64url. */
  sealed: string;
  /** The field for the owner has a name of its own in each collection. */
  [owner: string]: unknown;
}

/**
 * Texts that are stored encrypted (AES-256-GCM, a key of `secrets-at-rest`). One cannot be put in the place of another,
 * and without the keys of the installation none can be read.
 */
export interface SealedTexts {
  readonly indexes: OperationalIndexes;
  /** Stores the text of a name, unless there is one. */
  add(scope: Within, name: SealedName, text: string): Promise<void>;
  /**
   * The text of a name; `undefined` when there is none.
   * @throws for one that was encrypted with a key that the installation does not have any more, or was tampered with
   */
  find(scope: Within, name: SealedName): Promise<string | undefined>;
  /** The versions of an owner, of a part if one is named. */
  versions(scope: Pick<Within, 'database'>, of: Omit<SealedName, 'version'>): Promise<string[]>;
  /** Removes texts by their names. */
  drop(scope: Pick<Within, 'database'>, names: readonly SealedName[]): Promise<void>;
  /** Removes all texts of an owner, or all of a part, whoever the owner is. */
  dropAll(scope: Pick<Within, 'database'>, of: { owner: string } | { part: string }): Promise<void>;
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Declares a collection of encrypted texts. `owner`: the field that names whose they are. */
export function sealedTexts({ collection, owner: field }: { collection: `op_${string}`; owner: string }): SealedTexts {
  const texts = ({ database }: Pick<Within, 'database'>): Collection<SealedDocument> =>
    database.collection<SealedDocument>(collection);
  return {
    indexes: {
      [collection]: [
        { key: { [field]: 1 }, name: field },
        { key: { part: 1 }, name: 'part' },
      ],
    },
    async add(scope, name, text) {
      const _id = idOf(name);
      const { current } = scope.keys;
      const part = name.part === undefined ? {} : { part: name.part };
      const fields = { [field]: name.owner, ...part, key: current, sealed: seal(keyOf(scope, current), _id, text) };
      await texts(scope).updateOne({ _id }, { $setOnInsert: fields }, { upsert: true });
    },
    async find(scope, name) {
      const found = await texts(scope).findOne({ _id: idOf(name) });
      return found === null ? undefined : open(keyOf(scope, found.key), found._id, found.sealed);
    },
    async versions(scope, { owner, part }) {
      const filter = { [field]: owner, ...(part === undefined ? {} : { part }) };
      const found = await texts(scope).find(filter).project<{ _id: string }>({ _id: 1 }).toArray();
      return found.map(({ _id }) => _id.slice(_id.lastIndexOf(':') + 1));
    },
    async drop(scope, names) {
      if (names.length > 0) await texts(scope).deleteMany({ _id: { $in: names.map(idOf) } });
    },
    async dropAll(scope, of) {
      await texts(scope).deleteMany('owner' in of ? { [field]: of.owner } : of);
    },
  };
}

function idOf({ owner, part, version }: SealedName): string {
  return [owner, ...(part === undefined ? [] : [part]), String(version)].join(':');
}

function seal(key: Buffer, id: string, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce);
  cipher.setAAD(Buffer.from(id));
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url');
}

function open(key: Buffer, id: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes));
  decipher.setAAD(Buffer.from(id));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
}

/** @throws for a key that the installation does not have any more */
function keyOf({ keys }: Pick<Within, 'keys'>, id: string): Buffer {
  const key = keys.key('secrets-at-rest', id);
  if (key === undefined) throw new Error(`The keyring has no key ${id}`);
  return key;
}
