import type { FileRecord } from './file-record.js';
import { signatureOf, type Signer } from './signed-urls.js';

/** Makes the addresses of the files of one pool. */
export interface FileLinks {
  /** Where the bytes of a file can be read until `until`. The same within an hour. */
  urlOf(file: FileRecord): string;
  /**
   * Where the bytes of a file of a space can be read by anybody, as long as what is published shows it to everybody.
   */
  publicUrlOf(file: FileRecord, where: { space: string; id: string }): string;
  /** Seconds since 1970. */
  readonly until: number;
  /** Whether an address was made: an answer that has one changes with `until`. */
  readonly isUsed: boolean;
}

const hour = 3_600;
/** Characters of a name in an address, so that addresses stay shorter than 2,048 characters. */
const longestName = 128;
const hashInAddress = 16;

/** Until when (seconds since 1970) addresses hold that are made now: at least for an hour. */
export function linksHoldUntil(now: number): number {
  return (Math.floor(now / 1_000 / hour) + 2) * hour;
}

export function createFileLinks(
  signer: Signer,
  { origin, alias, now }: { origin: string; alias: string; now: number },
): FileLinks {
  const until = linksHoldUntil(now);
  let isUsed = false;
  return {
    until,
    get isUsed() {
      return isUsed;
    },
    // With a part of the hash, so that another version has another address.
    publicUrlOf: ({ hash, name }, { space, id }) =>
      `${origin}/published/${space}/${id}/${hash.slice(0, hashInAddress)}/${encodeURIComponent(shortName(name))}`,
    urlOf({ hash, name, contentType }) {
      isUsed = true;
      const short = shortName(name);
      const signature = signatureOf(signer, ['get', alias, hash, short, contentType, until]);
      const query = `type=${encodeURIComponent(contentType)}&expires=${until}&signature=${signature}`;
      return `${origin}/files/${alias}/${hash}/${encodeURIComponent(short)}?${query}`;
    },
  };
}

/** A name that is not too long for an address, with its ending. */
function shortName(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= longestName) return characters.join('');
  const ending = Array.from(/\.[^.]{1,16}$/u.exec(name)?.[0] ?? '');
  return [...characters.slice(0, longestName - ending.length), ...ending].join('');
}
