import type * as z from 'zod';
import type { Operation, Service } from './operation.js';

/**
 * A kind of stream whose events appear outside its service: in the audit log and the change feed. Both use only this
 * declaration and the metadata of events. A domain is in both as soon as its streams are in this table.
 */
export interface PublicStream {
  service: Service;
  /** The entity, as in the names of the streams. */
  entity: string;
  /** Payload schemas of its events, by type. */
  schemas: Readonly<Record<string, z.ZodObject>>;
  /** Types that appear nowhere, since another event says the same. */
  untold: readonly string[];
  target: {
    /** The `object` of the resource that the events are about. */
    object: string;
    /** The payload field with the id of that resource. Otherwise it is the id of the stream. */
    idIn: string | undefined;
  };
  /** An operation about the target. Whoever may call it may see the events. */
  shownBy: Operation;
  /**
   * The path parameter of `shownBy` for the target's id; `undefined` if organization and place are all that it takes.
   */
  param: string | undefined;
  /** Path parameters of `shownBy` for the places in which the event happened. */
  within: Readonly<Record<string, Place>>;
  /**
   * Types after which the streams of the target are removed from disk. Their earlier entries, and those of events
   * inside the target, are removed, since a rebuild would not find them either.
   */
  ends: readonly string[];
}

/** Parts of an organization to which an event can belong. The metadata have them in `within`. */
export type Place = 'space' | 'site' | 'changeRequest';
/** Ids of the places to which an event belongs. */
export type Within = Readonly<Partial<Record<Place, string | undefined>>>;

const places: Readonly<Record<string, Place>> = { space: 'space', site: 'site', 'change-request': 'changeRequest' };

type Declaration = Pick<PublicStream, 'service' | 'entity' | 'schemas' | 'shownBy'> &
  Partial<Pick<PublicStream, 'untold' | 'within' | 'ends'>> & { target: { object: string; idIn?: string } };

/**
 * Declares public streams.
 * @throws Error when `shownBy` needs more parameters than organization, places and target, or when an event does not
 * contain the target
 */
export function publicStream({ untold = [], within = {}, ends = [], target, ...declared }: Declaration): PublicStream {
  const { entity, schemas, shownBy } = declared;
  const [param, ...more] = Object.keys(shownBy.params.shape).filter(
    (name) => name !== organizationParam && !Object.hasOwn(within, name),
  );
  if (more.length > 0) throw new Error(`${shownBy.id} needs more than a target to tell who may see ${entity}`);
  const { object, idIn } = target;
  const silent = Object.entries(schemas).find(
    ([type, { shape }]) => idIn !== undefined && !untold.includes(type) && !(idIn in shape),
  );
  if (silent !== undefined) throw new Error(`${silent[0]} does not contain ${String(idIn)}, the id of its target`);
  return { ...declared, untold, within, ends, target: { object, idIn }, param };
}

const organizationParam = 'organizationId';

/** The places to which an event of a stream belongs: those of its metadata, and its target if that is a place. */
export function placesOf({ target: { object } }: Pick<PublicStream, 'target'>, target: string, within: Within): Within {
  const place = places[object];
  return place === undefined ? within : { ...within, [place]: target };
}

/**
 * Path parameters with which `shownBy` is about a target in an organization and its places; `undefined` if a place is
 * not known.
 */
export function paramsOf(
  { shownBy, param, within: taken }: Pick<PublicStream, 'shownBy' | 'param' | 'within'>,
  { organization, target, within = {} }: { organization: string; target: string; within?: Within | undefined },
): Record<string, string> | undefined {
  const params: Record<string, string> = {
    ...(organizationParam in shownBy.params.shape ? { [organizationParam]: organization } : {}),
    ...(param === undefined ? {} : { [param]: target }),
  };
  for (const [name, place] of Object.entries(taken)) {
    const id = within[place];
    if (id === undefined) return undefined;
    params[name] = id;
  }
  return params;
}

/** The action of an event type, as lists show it: `TeamMemberAdded` is `team_member_added`. */
export function actionOf(type: string): string {
  return type
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}
