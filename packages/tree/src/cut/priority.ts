const { imul } = Math;

/**
 * A number of 32 bits that follows from a key alone and is as good as random: FNV-1a over the code units, then the
 * final mixing of MurmurHash3. It decides only where parts begin, never what is the same, so it need not resist
 * forgery: keys that are made for it are cut by `pieceStarts`.
 */
export function priorityOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    hash = imul(hash ^ (unit & 0xff), 0x01000193);
    hash = imul(hash ^ (unit >>> 8), 0x01000193);
  }
  hash = imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
