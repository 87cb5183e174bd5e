import { roleRelations, type Relation, type ResourceAccess } from '@scriptorium/contracts';
import { type Level } from './level.js';
import { type Place } from './place.js';

/**
 * Access to a space or collection, or to what is written about it: the relations follow from the level there. `viewed`:
 * what the caller sees; `null` for what is not there, or is of an organization that the caller is no member of. Pure.
 */
export function nodeResourceAccess(viewed: { place: Place; level: Level } | null, exists: boolean): ResourceAccess {
  if (viewed === null) return { parentVisible: true, exists: false, relations: new Set() };
  const { level, place } = viewed;
  const { organization, role, withoutSSO, granted } = place;
  const relations = new Set<Relation>(level === null ? [] : roleRelations(level));
  if (role === 'admin') relations.add('organization_admin');
  if (granted !== undefined) relations.add('installation');
  return { parentVisible: true, exists, relations, organization, role, withoutSSO, granted };
}

/**
 * Access to a part of it, such as a grant or a comment: whoever may not view the whole does not know of its parts.
 * Pure.
 */
export function partResourceAccess(whole: ResourceAccess): ResourceAccess {
  return { ...whole, parentVisible: whole.exists && whole.relations.has('read'), exists: true };
}
