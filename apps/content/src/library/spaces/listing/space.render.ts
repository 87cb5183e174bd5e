import { spacePermissions, type Level } from '@scriptorium/access';
import type { Space } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { deletionFields } from '../../nodes/index.js';
import { noCounts, type SpaceCountDocument } from './space-count.projection.js';
import type { SpaceDocument } from '../space.projection.js';

/** The emoji that a space is shown with which has none: clients expect one. */
const defaultEmoji = '1f4d6';

/** A space as somebody sees it: what its document does not have. */
export interface Viewed {
  parent: string | null;
  /** When it was deleted, itself or with a collection; `null` when it was not. */
  deletedAt: string | null;
  /** The level of whoever is shown it. */
  level: Level;
  /** The visibility of the site that shows it to most; `undefined` if no published site shows it. */
  onSites: Space['visibility'] | undefined;
  /** Where it is published. */
  published?: Pick<Space['urls'], 'published' | 'public'> | undefined;
}

/** A space. `counts`: absent while they are not known. */
export function renderSpace(
  doc: Stored<SpaceDocument>,
  { parent, deletedAt, level, onSites, published }: Viewed,
  counts: SpaceCountDocument | null | undefined,
  urls: Scope['urls'],
): Space {
  const { _id: id, organization, emoji, icon, language, mergeRules, readOnly } = doc;
  const { comments, changeRequests, changeRequestsOpen, changeRequestsDraft } = counts ?? noCounts;
  return {
    object: 'space',
    id,
    title: doc.title,
    emoji: emoji ?? defaultEmoji,
    visibility: onSites ?? (parent === null ? 'private' : 'in-collection'),
    createdAt: doc.createdAt,
    updatedAt: doc.updatedAt,
    ...deletionFields(deletedAt),
    editMode: doc.editMode,
    ...(readOnly == null ? {} : { readOnly }),
    mergeRules: mergeRules === null ? { type: 'inherit', rules: [] } : { type: 'rules', rules: mergeRules },
    organization,
    ...(doc.revision === null ? {} : { revision: doc.revision }),
    ...(parent === null ? {} : { parent }),
    ...(language === null ? {} : { language: language as NonNullable<Space['language']> }),
    defaultLevel: doc.defaultLevel,
    comments,
    changeRequests,
    changeRequestsOpen,
    changeRequestsDraft,
    urls: {
      location: `${urls.api}/spaces/${id}`,
      app: `${urls.app}/o/${organization}/s/${id}`,
      ...published,
      ...(icon === null ? {} : { icon }),
    },
    permissions: spacePermissions(level, { isReadOnly: readOnly != null }),
  };
}
