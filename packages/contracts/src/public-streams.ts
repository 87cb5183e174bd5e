import type * as z from 'zod';
import type { Operation, Service } from './operation.js';

/**
 * A kind of stream whose events others than its own service hear of: audit and change feed are made of them, by what is
 * declared here and by metadata alone. A domain is in both as soon as it has its streams in this table.
 */
export interface PublicStream {
  service: Service;
  /** As in the streams' names. */
  entity: string;
  /** Payloads of its events, by type. */
  schemas: Readonly<Record<string, z.ZodObject>>;
  /** Types among them that tell people nothing: another event says the same. */
  untold: readonly string[];
  target: {
    /** What the events are about, as `object` of that resource. */
    object: string;
    /** Payload field with its id; otherwise it is that of the stream. */
    idIn: string | undefined;
  };
  /** Whoever may call this about the target may know of its events. */
  shownBy: Operation;
  /** The path parameter of `shownBy` that takes the target's id; `undefined` where organization and place are all it takes. */
  param: string | undefined;
  /** Path parameters of `shownBy` that take the place in which the event happened. */
  within: Readonly<Record<string, Place>>;
  /**
   * Types that tell that the streams of the target are removed from disk. What was told of it, and of what happened in it, is
   * dropped: a rebuild would not find it either.
   */
  ends: readonly string[];
}

/** What in an organization an event can belong to, as its metadata name it in `within`. */
export type Place = 'space' | 'site' | 'changeRequest';
/** Ids of the places that an event belongs to. */
export type Within = Readonly<Partial<Record<Place, string | undefined>>>;

const places: Readonly<Record<string, Place>> = { space: 'space', site: 'site', 'change-request': 'changeRequest' };

type Declaration = Pick<PublicStream, 'service' | 'entity' | 'schemas' | 'shownBy'> &
  Partial<Pick<PublicStream, 'untold' | 'within' | 'ends'>> & { target: { object: string; idIn?: string } };

/**
 * Declares public streams. Throws when `shownBy` needs more than organization, places and target to be called, and when an event
 * does not hold the target.
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
  if (silent !== undefined) throw new Error(`${silent[0]} does not say in ${String(idIn)} what it is about`);
  return { ...declared, untold, within, ends, target: { object, idIn }, param };
}

const organizationParam = 'organizationId';

/** The places that an event of a stream belongs to: those of its metadata, and its target where that is one. */
export function placesOf({ target: { object } }: Pick<PublicStream, 'target'>, target: string, within: Within): Within {
  const place = places[object];
  return place === undefined ? within : { ...within, [place]: target };
}

/** Path parameters with which `shownBy` is about a target in an organization and its places; `undefined` where a place is not known. */
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

/** The name of what an event says, in lists for people and programs: `TeamMemberAdded` is `team_member_added`. */
export function actionOf(type: string): string {
  return type
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}
