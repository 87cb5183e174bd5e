import {
  integrationChanges,
  principalChanges,
  type InstallationPrincipal,
  type Principal,
} from '@scriptorium/contracts';
import { systemClock } from '@scriptorium/event-sourcing';
import { type AccessResolvers, defineDomain, type Scope } from '@scriptorium/platform';
import { createAccess, identityReadModels, type Access } from './access.js';
import { type HearingContext, listenForFreshness, type RequiredFreshness } from './freshness.js';
import {
  findReach,
  installationInOrganization,
  reachReadModels,
  type InstallationReach,
} from './installation-reach.js';
import { type Grantee } from './level.js';
import { nodeAccess } from './node-access.projection.js';
import { type NodeTree } from './node-tree.js';
import { organizationAccess, type Place } from './place.js';

/** A caller with what decides about access to the spaces and collections of an organization. */
export interface NodeViewer {
  place: Place;
  nodes: NodeTree;
  member: Grantee;
}

/** Answers questions about access in one service, from its own read models and only while these are fresh. */
export class ServiceAccess {
  readonly #context: HearingContext;
  readonly #members: RequiredFreshness;
  readonly #installations: RequiredFreshness | undefined;
  #access: Access | undefined;

  /** `withInstallations`: whether the service keeps what installations of integrations reach. */
  constructor(context: HearingContext, { withInstallations = false } = {}) {
    this.#context = context;
    this.#members = listenForFreshness(context, { subject: principalChanges, projections: identityReadModels });
    if (withInstallations)
      this.#installations = listenForFreshness(context, {
        subject: integrationChanges,
        projections: reachReadModels,
      });
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
    await this.#members.require();
    return this.#own.placeIn(store, organization, caller);
  }

  /**
   * What an installation reaches; `null` in a service that opens nothing to installations.
   * @throws AppError `unavailable` while the read models are not fresh, `unauthenticated` for a token that has ended
   */
  async reachOf({ store }: Pick<Scope, 'store'>, principal: InstallationPrincipal): Promise<InstallationReach | null> {
    if (this.#installations === undefined) return null;
    await this.#installations.require();
    return findReach(store, principal);
  }

  /**
   * For decisions by what installations reach, from the read models.
   * @throws AppError `unavailable` while these are not fresh
   */
  async requireInstallations(): Promise<void> {
    await this.#installations?.require();
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
    await this.#members.stop();
    await this.#installations?.stop();
  }

  /** Created at its first use, since the store exists only after the start of the service. */
  get #own(): Access {
    return (this.#access ??= createAccess(this.#context.store, { clock: systemClock }));
  }
}

const resolveOrganization = (access: ServiceAccess): AccessResolvers => ({
  organization: async (scope, principal, { organizationId = '' }) =>
    principal.kind === 'installation'
      ? installationInOrganization(await access.reachOf(scope, principal), organizationId)
      : organizationAccess(await access.placeIn(scope, organizationId, principal)),
});

/**
 * The domain that a service lists to decide about access: the read models, an object `ServiceAccess`, and the access
 * resolver of organizations.
 */
export const accessDomain = defineDomain({
  name: 'access',
  projections: [...identityReadModels, nodeAccess],
  objects: ({ context }) => [new ServiceAccess(context)],
  resolvers: ({ use }) => resolveOrganization(use(ServiceAccess)),
});

/** The same for a service that opens operations to installations of integrations. */
export const accessWithInstallationsDomain = defineDomain({
  name: 'access',
  projections: [...identityReadModels, nodeAccess, ...reachReadModels],
  objects: ({ context }) => [new ServiceAccess(context, { withInstallations: true })],
  resolvers: ({ use }) => resolveOrganization(use(ServiceAccess)),
});
