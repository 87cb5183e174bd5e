import { contentBounds } from '@scriptorium/contracts';
import { objectPath } from '../../archive-format/index.js';
import type { Files } from '../folder.js';
import type { BroughtObject, Known } from '../item.js';

/** A stored object of an archive; `undefined` when it is not there, or too large for what it is. */
function brought(files: Files, name: string | undefined, most = largestObject): BroughtObject | undefined {
  const entry = name === undefined ? undefined : files.get(objectPath(name));
  if (name === undefined || entry === undefined || entry.size > most) return undefined;
  return { name, entry };
}

const largestObject = 2 * contentBounds.documentBytes;
const largestAttributes = 256 * 1024;

interface Described {
  sha256?: string | undefined;
  record: { document?: string | undefined; attributes?: string | undefined };
}

/** What the manifest brings for a file; nothing when a part of it is missing. */
export function knownOf(files: Files, described: Described | undefined): { known?: Known; attributes?: BroughtObject } {
  const { sha256, record: { document: name, attributes: more } = {} } = described ?? {};
  const [document, attributes] = [brought(files, name), brought(files, more, largestAttributes)];
  if (more !== undefined && attributes === undefined) return {};
  return {
    ...(document === undefined || sha256 === undefined ? {} : { known: { sha256, document } }),
    ...(attributes === undefined ? {} : { attributes }),
  };
}

/** The id of what comes from a file: that of the manifest, then that of what is there, unless something else has it. */
export function idOf(used: Set<string>, ...owners: readonly ({ id: string } | undefined)[]): { id?: string } {
  const id = owners.find((owner) => owner !== undefined && !used.has(owner.id))?.id;
  if (id === undefined) return {};
  used.add(id);
  return { id };
}
