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
  /**
   * Types that tell that streams of the target are removed from disk. What was told of the target before is not told any more: a
   * rebuild would not find it either.
   */
  ends: readonly string[];
  target: {
    /** What the events are about, as `object` of that resource. */
    object: string;
    /** Payload field with its id; otherwise it is that of the stream. */
    idIn: string | undefined;
  };
  /** Whoever may call this about the target may know of its events. */
  shownBy: Operation;
  /** The path parameter of `shownBy` that takes the target's id; `undefined` where the organization is all it takes. */
  param: string | undefined;
}

type Declaration = Pick<PublicStream, 'service' | 'entity' | 'schemas' | 'shownBy'> & {
  untold?: readonly string[];
  ends?: readonly string[];
  target: { object: string; idIn?: string };
};

/** Declares public streams. Throws when `shownBy` needs more than the organization and the target to be called, and when an event does not hold the target. */
export function publicStream({ untold = [], ends = [], target, ...declared }: Declaration): PublicStream {
  const [param, ...more] = Object.keys(declared.shownBy.params.shape).filter((name) => name !== organizationParam);
  if (more.length > 0)
    throw new Error(`${declared.shownBy.id} needs more than a target to tell who may see ${declared.entity}`);
  const { idIn } = target;
  const silent = Object.entries(declared.schemas).find(
    ([type, { shape }]) => idIn !== undefined && !untold.includes(type) && !(idIn in shape),
  );
  if (silent !== undefined) throw new Error(`${silent[0]} does not say in ${String(idIn)} what it is about`);
  return { ...declared, untold, ends, target: { object: target.object, idIn: target.idIn }, param };
}

const organizationParam = 'organizationId';

/** Path parameters with which `shownBy` is about a target in an organization. */
export function paramsOf(
  { shownBy, param }: Pick<PublicStream, 'shownBy' | 'param'>,
  organization: string,
  target: string,
): Record<string, string> {
  return {
    ...(organizationParam in shownBy.params.shape ? { [organizationParam]: organization } : {}),
    ...(param === undefined ? {} : { [param]: target }),
  };
}

/** The name of what an event says, in lists for people and programs: `TeamMemberAdded` is `team_member_added`. */
export function actionOf(type: string): string {
  return type
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}
