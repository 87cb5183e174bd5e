import type { ContentChange, ContentChangeResult, ContentReference } from '@scriptorium/contracts';
import type { StagedFiles } from '../files/index.js';
import type { Draft } from '../object-store/index.js';
import { applyChanges } from './operations/apply-changes.js';
import type { ChangeContext, ContentEvent } from './context.js';
import { readAhead } from './documents/read-ahead.process.js';
import { namesIn } from './references.js';

/** Changes of one request, and what they are made with. */
export interface Making extends Pick<ChangeContext, 'space' | 'newId' | 'parse' | 'revision'> {
  changes: readonly ContentChange[];
  /** The bytes that the changes bring; they bring none unless given. */
  files?: Pick<StagedFiles, 'at'> | undefined;
  /** The branch that is changed; that of the main content unless given. */
  branch?: string | undefined;
  /** Conflicts that are not resolved; none unless given. */
  openConflicts?: ReadonlySet<string> | undefined;
  /** What links to `/content-refs/<name>` lead to, by that name. */
  contentRefs?: ReadonlyMap<string, ContentReference> | undefined;
  /** Milliseconds since the epoch. */
  now: number;
  /** Base of addresses in answers. */
  api: string;
  /** How many variables the space, and each page, can have. */
  variables: number;
}

/** What changes have made. */
export interface Made {
  /** The ids of what the changes name, by these names. */
  refs: ReadonlyMap<string, string>;
  /** One for each change, in their order. */
  results: ContentChangeResult[];
  /** What happened, each once. */
  events: ContentEvent[];
}

/** Makes changes in a draft. @throws AppError `content_change_invalid` naming the change, `limit_reached` */
export async function makeChanges(
  draft: Draft,
  {
    changes,
    files,
    branch,
    openConflicts = new Set(),
    contentRefs = new Map<string, ContentReference>(),
    now,
    api,
    variables,
    ...more
  }: Making,
): Promise<Made> {
  const { space, newId } = more;
  const place = branch === undefined || branch === space ? '' : `/change-requests/${branch}`;
  const names = namesIn(changes);
  const refs = new Map([...names.files, ...names.others].map((name) => [name, newId(`ref:${name}`)]));
  const events = new Map<string, ContentEvent>();
  const context: ChangeContext = {
    ...more,
    draft,
    refs,
    fileNames: new Set(names.files),
    bytesAt: (path) => files?.at(path),
    contentRefs,
    openConflicts,
    mostVariables: variables,
    now: new Date(now).toISOString(),
    location: `${api}/spaces/${space}${place}/content`,
    note: (kind, id) => void events.set(`${kind} ${id}`, { kind, id }),
  };
  const parse = await readAhead(context, changes);
  const results = await applyChanges({ ...context, parse }, changes);
  return { refs, results, events: [...events.values()] };
}
