import type { Scope } from '@scriptorium/platform';
import { findSpecHead } from '../../../library/index.js';
import { keys, type ContentObjects, type FileRecord } from '../../../versions/index.js';
import type { ContentView } from '../view/view.queries.js';
import { packOfFile, packOfSpec, type OpenPack } from './packs.queries.js';

/** A specification that content shows, as it is now. */
export interface ShownSpec {
  /** Its slug; the id of a file. */
  spec: string;
  version: string;
  pack: OpenPack;
}

type Ref = Readonly<Record<string, unknown>>;
export type SpecScope = Pick<Scope, 'store' | 'workers'>;

/** A name for what a reference leads to, if that is a specification or may be one. */
export function specKeyOf({ kind, spec, file, space }: Ref): string | undefined {
  if (kind === 'openapi' && typeof spec === 'string' && spec !== '') return `openapi ${spec.toLowerCase()}`;
  return kind === 'file' && typeof file === 'string' && space === undefined ? `file ${file}` : undefined;
}

/**
 * The specification that a reference leads to: of the organization, or a file of the same space. `null` when it is not
 * there. What was looked at is added to what the answer shows.
 * @throws AppError `unavailable`
 */
export async function specOf(
  scope: SpecScope,
  objects: Pick<ContentObjects, 'deriving' | 'derived' | 'files'>,
  { organization, tree, also }: Pick<ContentView, 'organization' | 'tree' | 'also'>,
  ref: Ref,
): Promise<ShownSpec | null> {
  if (ref['kind'] === 'openapi') {
    const head = await findSpecHead(scope, organization, String(ref['spec']));
    const pack = head === undefined ? undefined : await packOfSpec(objects, head);
    also.push([specKeyOf(ref), head?.version ?? null, pack !== undefined]);
    return head === undefined || pack === undefined ? null : { spec: head.slug, version: head.version, pack };
  }
  const id = String(ref['file']);
  const record = (await tree.get(keys.file(id))) as FileRecord | undefined;
  const pack = record === undefined ? undefined : await packOfFile(scope, objects, tree.pool, record);
  also.push([specKeyOf(ref), record?.hash ?? null, pack !== undefined]);
  return record === undefined || pack === undefined ? null : { spec: id, version: record.hash, pack };
}
