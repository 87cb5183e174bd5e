import type { Embeds } from './embed.js';
import type { LimitDeclaration } from './limits.js';
import type { InternalOperation, Operation, Service } from './operation.js';
import { operatorOperations, type OperatorOperations } from './operator.js';
import type { PublicStream } from './public-streams.js';

/** Everything that crosses the border of one service. */
export interface ServiceContract {
  name: Service;
  /** Routed operations by id. */
  operations: Readonly<Record<string, Operation>>;
  /** Exchanges that other processes have with it, by id. */
  internal: Readonly<Record<string, InternalOperation>>;
  /** Streams whose events other services, audit and change feed may know of. */
  streams: readonly PublicStream[];
  /** What can grow in it, and how far. */
  limits: Readonly<Record<string, LimitDeclaration>>;
  /** How resources of it are found that stand inside responses of other services, by their kind. */
  embeds: Embeds;
  /** Kinds of resource that access rules of its operations name. Those within an organization are `true`. */
  resourceKinds: Readonly<Record<string, { withinOrganization: boolean }>>;
  /** The operators' operations of this service. */
  operator: OperatorOperations;
}

/** Describes a service. @throws when an operation names a kind of resource that is not declared, or belongs to another service */
export function defineServiceContract<const C extends Omit<ServiceContract, 'operator'>>(
  contract: C,
): C & Pick<ServiceContract, 'operator'> {
  const { name, operations, internal, resourceKinds } = contract;
  for (const { id, service, access } of Object.values<Operation>(operations)) {
    if (service !== name) throw new Error(`${id} is an operation of ${service}, not of ${name}`);
    if (!Object.hasOwn(resourceKinds, access.resource))
      throw new Error(`${id} names the kind of resource ${access.resource}, which ${name} does not declare`);
  }
  for (const { id, service } of Object.values<InternalOperation>(internal))
    if (service !== name) throw new Error(`${id} is an exchange of ${service}, not of ${name}`);
  return { ...contract, operator: operatorOperations(name, `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`) };
}
