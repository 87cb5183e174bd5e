import { AppError, blaming } from '@scriptorium/contracts';
import {
  type SiteEvent,
  itemsIn,
  requireActive,
  siblingBefore,
  siteSpacesIn,
  type SiteState,
  type Structure,
} from '../../model/index.js';
import { placeGroup, requireOwn } from './section-groups.js';
import { placeSection, requireSection } from './sections.js';
import { placeSpace, requireSpace } from './site-spaces.js';

export type ItemType = 'site-space' | 'site-section' | 'site-section-group';

/** Something that stands on a site. */
export interface Pointer {
  type: ItemType;
  id: string;
}

export interface Position {
  before?: Pointer | undefined;
  after?: Pointer | undefined;
}

/**
 * Moves something directly before or behind something else. `among`: `siblings` for what stands at the same place
 * alone.
 * @throws AppError `position_invalid`, `not_found`
 */
export function sort(
  state: SiteState,
  { item, position, among }: { item: Pointer; position: Position | undefined; among: 'siblings' | 'all' },
): SiteEvent[] {
  const { structure } = requireActive(state);
  const present = parentOf(structure, item, 'body.item');
  const { pointer, isBefore } = pointerOf(position);
  const parent = parentOf(structure, pointer, isBefore ? 'body.position.before' : 'body.position.after');
  const isSpace = item.type === 'site-space';
  if (isSpace !== (pointer.type === 'site-space'))
    throw invalidPosition('Spaces stand among spaces, sections and section groups among each other');
  if (among === 'siblings' && parent !== present) throw invalidPosition('Both have to stand at the same place');
  const siblings = isSpace ? siteSpacesIn(structure, parent) : itemsIn(structure, parent);
  const others = siblings.filter(({ id }) => id !== item.id);
  const after =
    pointer.id === item.id
      ? siblingBefore(siblings, item.id)
      : isBefore
        ? siblingBefore(others, pointer.id)
        : pointer.id;
  if (isSpace) return placeSpace(structure, item.id, { section: parent, after });
  return item.type === 'site-section'
    ? placeSection(structure, item.id, { parent, after })
    : placeGroup(structure, item.id, { parent, after }, 'body.position');
}

function pointerOf({ before, after }: Position = {}): { pointer: Pointer; isBefore: boolean } {
  const pointer = before ?? after;
  if (pointer === undefined || (before !== undefined && after !== undefined))
    throw invalidPosition('Either before or after has to be given');
  return { pointer, isBefore: before !== undefined };
}

function invalidPosition(message: string): AppError {
  return blaming('position_invalid', 'body.position', message);
}

/**
 * Where something stands: the section of a space, the group of a section or group.
 * @throws AppError `not_found` that names the field
 */
function parentOf(structure: Structure, { type, id }: Pointer, field: string): string | null {
  try {
    switch (type) {
      case 'site-space':
        return requireSpace(structure, id).section;
      case 'site-section':
        return requireSection(structure, id).parent;
      case 'site-section-group':
        return requireOwn(structure, id).parent;
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'not_found') throw error;
    throw blaming('not_found', field, 'It does not stand on the site');
  }
}
