import * as z from 'zod';
import type { Access } from './kernel/access.js';
import { auditOperations } from './activity/audit.js';
import { changeOperations } from './activity/changes.js';
import { collaborationContract } from './collaboration/service.js';
import { contentContract } from './content/service.js';
import { conversationsContract } from './conversations/service.js';
import { collectEmbeds } from './kernel/embed.js';
import { gatewayOperations } from './gateway/index.js';
import { identityContract } from './identity/service.js';
import { integrationsContract } from './integrations/service.js';
import type { Operation } from './kernel/operation.js';
import type { Principal } from './kernel/principal.js';
import { actionOf, type PublicStream } from './kernel/public-streams.js';
import type { ServiceContract } from './kernel/service-contract.js';
import { sitesContract } from './sites/service.js';

/** The types of all contracts together are too long to be inferred: each is named. */
type ServiceContracts = readonly [
  typeof identityContract,
  typeof contentContract,
  typeof collaborationContract,
  typeof sitesContract,
  typeof integrationsContract,
  typeof conversationsContract,
];
/** The services of the product, one line each. Everything else about services is derived from this list. */
export const services: ServiceContracts = [
  identityContract,
  contentContract,
  collaborationContract,
  sitesContract,
  integrationsContract,
  conversationsContract,
] as const satisfies readonly ServiceContract[];

type Services = ServiceContracts[number];
type Together<T> = (T extends unknown ? (all: T) => void : never) extends (all: infer A) => void ? A : never;
/** The entries of all services under one field of their contracts. */
const allOf = <N extends 'operations' | 'limits'>(name: N): Together<Services[N]> =>
  Object.assign({}, ...services.map((service) => service[name])) as Together<Services[N]>;

/** The public streams of all services. */
export const publicStreams: readonly PublicStream[] = services.flatMap(({ streams }) => [...streams]);

/** The public stream of the events of an action. */
export const streamOfAction: ReadonlyMap<string, PublicStream> = new Map(
  publicStreams.flatMap((stream) =>
    Object.keys(stream.schemas)
      .filter((type) => !stream.untold.includes(type))
      .map((type) => [actionOf(type), stream] as const),
  ),
);

/** Every action, sorted. */
export const publicActions: readonly string[] = [...streamOfAction.keys()].sort();

const action = z.enum(publicActions).meta({ id: 'Action' });
/** The operations of the audit log and the change feed over all services. Identity answers them. */
export const activityOperations = { ...auditOperations(action), ...changeOperations(action) };
export const {
  exportOrganizationAuditEvents,
  getOrganizationAuditEventById,
  listOrganizationAuditEventActions,
  listOrganizationAuditEvents,
  listOrganizationChanges,
} = activityOperations;

/** Named, since the whole of it is longer than the compiler writes out. */
export type Operations = typeof gatewayOperations & Together<Services['operations']> & typeof activityOperations;
/** The operations of the API by id. */
export const operations: Operations = { ...gatewayOperations, ...allOf('operations'), ...activityOperations };
export type OperationId = keyof Operations;

/** All operations with routes, including those of operators. */
export const operationList: readonly Operation[] = [
  ...Object.values<Operation>(operations),
  ...services.flatMap(({ operator }) => Object.values<Operation>(operator)),
];

/** Limits of all services by name. */
export const limits = allOf('limits');
export type LimitName = keyof typeof limits;
/** The limits of an installation. */
export type Limits = Readonly<Record<LimitName, number>>;

/** The default of each limit. */
export const limitPresets = Object.fromEntries(
  Object.entries(limits).map(([name, { preset }]) => [name, preset]),
) as Limits;

/** The lookup of each kind of embedded resource. */
export const embedLookups = collectEmbeds(services);

/** Kinds of resource that belong to an organization. */
export const kindsWithinOrganization: ReadonlySet<string> = new Set(
  services.flatMap(({ resourceKinds }) =>
    Object.entries(resourceKinds).flatMap(([kind, { withinOrganization }]) => (withinOrganization ? [kind] : [])),
  ),
);

/**
 * Whether a rule is about the user or the installation, so that a session that is valid in one organization only is
 * refused.
 */
export function reachesBeyond(rule: Access, principal: Principal): boolean {
  return (
    principal.organization !== undefined &&
    rule.withinOrganization !== true &&
    !kindsWithinOrganization.has(rule.resource)
  );
}
