import {
  AppError,
  principalChanges,
  roleRelations,
  type Principal,
  type PrincipalChange,
  type ResourceAccess,
} from '@scriptorium/contracts';
import { systemClock } from '@scriptorium/event-sourcing';
import { type AccessResolvers, defineDomain, type Scope, type ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { createAccess, identityReadModels, type Access } from './access.js';
import { createFreshWait } from './fresh-wait.js';
import { createFreshness, type Freshness } from './freshness.js';
import { type Grantee } from './level.js';
import { nodeAccess } from './node-access.projection.js';
import { type NodeTree } from './node-tree.js';
import { type Place } from './place.js';

const Announcement = z.object({
  epoch: z.string().min(1).max(128),
  recorded: z.record(z.string().max(64), z.string().regex(/^\d{1,20}$/)).default({}),
}) satisfies z.ZodType<Pick<PrincipalChange, 'epoch' | 'recorded'>>;

/** A caller with what decides about access to the spaces and collections of an organization. */
export interface NodeViewer {
  place: Place;
  nodes: NodeTree;
  member: Grantee;
}

/** Answers questions about access in one service, from its own read models and only while these are fresh. */
export class ServiceAccess {
  readonly #context: Pick<ServiceContext, 'messaging' | 'store' | 'logger'>;
  readonly #subscribed: Promise<{ unsubscribe(): Promise<void> } | undefined>;
  #access: Access | undefined;
  #freshness: Freshness | undefined;
  #becomesFresh: (() => Promise<boolean>) | undefined;

  constructor(context: Pick<ServiceContext, 'messaging' | 'store' | 'logger'>) {
    this.#context = context;
    this.#subscribed = context.messaging.subscribe(principalChanges, (body) => this.#hear(body));
    // Without the subscription nothing is ever fresh, and requests are answered with `unavailable`.
    this.#subscribed.catch((err: unknown) => context.logger.error({ err }, 'announcements of identity are not heard'));
  }

  /**
   * The place of a caller, or of any user, in an organization; `null` without one.
   * @throws AppError `unavailable` while the read models are not fresh
   */
  async placeIn(
    { store }: Pick<Scope, 'store'>,
    organization: string,
    caller: Pick<Principal, 'id' | 'organization'>,
  ): Promise<Place | null> {
    await this.#requireFresh();
    return this.#own.placeIn(store, organization, caller);
  }

  /** A member as a viewer of the spaces and collections of their organization. Use `nodes` before the next `await`. */
  async viewerAt({ store }: Pick<Scope, 'store'>, place: Place): Promise<NodeViewer> {
    const known = await this.#own.nodesOf(store, place.organization);
    const member = await this.#own.granteeFor(store, place, known);
    return { place, member, nodes: await this.#own.nodesOf(store, place.organization) };
  }

  /** The same with all teams of the member, those included that have no grants yet: for checks of new grants. */
  async viewerWithTeamsAt({ store }: Pick<Scope, 'store'>, place: Place): Promise<NodeViewer> {
    const member = await this.#own.granteeFor(store, place);
    return { place, member, nodes: await this.#own.nodesOf(store, place.organization) };
  }

  /** The spaces and collections of an organization. Use them before the next `await`. */
  nodesOf({ store }: Pick<Scope, 'store'>, organization: string): Promise<NodeTree> {
    return this.#own.nodesOf(store, organization);
  }

  async stop(): Promise<void> {
    await (await this.#subscribed.catch(() => undefined))?.unsubscribe();
  }

  /** Created at its first use, since the store exists only after the start of the service. */
  get #own(): Access {
    return (this.#access ??= createAccess(this.#context.store, { clock: systemClock }));
  }

  async #requireFresh(): Promise<void> {
    this.#becomesFresh ??= createFreshWait(this.#fresh, systemClock);
    if (await this.#becomesFresh()) return;
    throw new AppError('unavailable', [], { message: 'Access cannot be decided right now, try again', retryAfter: 1 });
  }

  get #fresh(): Freshness {
    return (this.#freshness ??= createFreshness(
      {
        isLive: (projections) => this.#context.store.isLive(projections),
        written: (projection) => this.#context.store.written(projection),
      },
      { clock: systemClock, projections: identityReadModels },
    ));
  }

  #hear(body: Uint8Array): void {
    const { epoch, recorded } = Announcement.parse(JSON.parse(new TextDecoder().decode(body)));
    this.#fresh.heard({
      epoch,
      recorded: new Map(Object.entries(recorded).map(([entity, position]) => [entity, BigInt(position)])),
    });
  }
}

/** The access of a member to the organization itself. */
export function organizationAccess(place: Place | null): ResourceAccess {
  if (place === null) return { parentVisible: true, exists: true, relations: new Set() };
  const { organization, role, withoutSSO } = place;
  return { parentVisible: true, exists: true, relations: new Set(roleRelations(role)), organization, role, withoutSSO };
}

/**
 * The domain that a service lists to decide about access: the read models, an object `ServiceAccess`, and the access
 * resolver of organizations.
 */
export const accessDomain = defineDomain({
  name: 'access',
  projections: [...identityReadModels, nodeAccess],
  objects: ({ context }) => [new ServiceAccess(context)],
  resolvers: ({ use }): AccessResolvers => ({
    organization: async (scope, principal, { organizationId = '' }) =>
      organizationAccess(await use(ServiceAccess).placeIn(scope, organizationId, principal)),
  }),
});
