import type { Embeds } from './embed.js';
import type { LimitDeclaration } from './limits.js';
import type { InternalOperation, Operation, Service } from './operation.js';
import { operatorOperations, type OperatorOperations } from './operator.js';
import type { PublicStream } from './public-streams.js';

/** The contract of one service. */
export interface ServiceContract {
  name: Service;
  /** Operations with routes, by id. */
  operations: Readonly<Record<string, Operation>>;
  /** Internal operations, by id. */
  internal: Readonly<Record<string, InternalOperation>>;
  /** Streams with public events. */
  streams: readonly PublicStream[];
  /** The limits of the service. */
  limits: Readonly<Record<string, LimitDeclaration>>;
  /** The lookups of its resources that answers of other services embed, by kind. */
  embeds: Embeds;
  /**
   * Kinds of resource that access rules of its operations name. `withinOrganization`: whether they belong to an
   * organization.
   */
  resourceKinds: Readonly<Record<string, { withinOrganization: boolean }>>;
  /** The operators' operations of this service. */
  operator: OperatorOperations;
}

/**
 * Declares the contract of a service.
 * @throws Error when an operation names a kind of resource that is not declared, or belongs to another service
 */
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
    if (service !== name) throw new Error(`${id} is an internal operation of ${service}, not of ${name}`);
  return { ...contract, operator: operatorOperations(name, `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`) };
}
