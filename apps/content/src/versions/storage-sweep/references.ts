import type { Entry } from '@scriptorium/tree';
import type { FileRecord } from '../files/index.js';
import { keys, type PageRecord, type ReusableContentRecord } from '../pages/index.js';

/** What the entries of a tree name. */
export interface References {
  /** Objects that have to be there. */
  objects: string[];
  /** Bytes of files that have to be there, with their size. */
  files: Map<string, number>;
  /** Whatever else could be the name of an object: it is kept when it is one. */
  others: string[];
}

const names = /\b[0-9a-f]{64}\b/g;

/** What entries of a tree name. */
export function referencesIn(entries: readonly Entry[]): References {
  const found: References = { objects: [], files: new Map(), others: [] };
  for (const [key, value] of entries) {
    if (key.startsWith(keys.files)) {
      const { hash, size } = value as FileRecord;
      found.files.set(hash, size);
    } else if (key.startsWith(keys.pages)) {
      const { document, attributes } = value as PageRecord;
      found.objects.push(...[document, attributes].filter((name) => name !== undefined));
    } else if (key.startsWith(keys.reusableContents)) {
      found.objects.push((value as ReusableContentRecord).document);
    }
    found.others.push(...(JSON.stringify(value).match(names) ?? []));
  }
  const known = new Set([...found.objects, ...found.files.keys()]);
  return { ...found, others: [...new Set(found.others)].filter((name) => !known.has(name)) };
}
