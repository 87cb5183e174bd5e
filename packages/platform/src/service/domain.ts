import type { Type } from '@nestjs/common';
import type { OperatorOperations, Service } from '@scriptorium/contracts';
import type { AnyProjection, Reactor, ReservationKind, RunHandler, TimerHandler } from '@scriptorium/event-sourcing';
import type { IndexSpecification } from 'mongodb';
import type * as z from 'zod';
import type { AccessResolvers } from '../access/resource-access.js';
import type { Call } from '../requests/handles.js';
import type { ServiceContext } from './service-context.js';

/** Indexes of `op_*` collections, by the name of the collection. */
export type OperationalIndexes = Readonly<Record<string, readonly { key: IndexSpecification; name: string }[]>>;

/** Records something beside a change that has succeeded: that it was made without the single sign-on that is enforced, or that it was made at all. */
export type ChangeRecorder = (call: Call, params: Readonly<Record<string, string>>) => Promise<void>;

/** A class by which an object of a domain is asked for. */
export type ObjectType<T> = abstract new (...args: never[]) => T;

/** What the parts of a domain are made of. */
export interface DomainParts<S> {
  context: ServiceContext;
  /** The domain's own settings. */
  settings: S;
  /** The object of this class that a domain of the service has made. @throws when none has */
  use: <T>(type: ObjectType<T>) => T;
}

interface DomainDefinition<S extends z.ZodRawShape> {
  name: string;
  controllers?: readonly Type[];
  projections?: readonly AnyProjection[];
  /** Environment variables that only this domain knows. The description of each becomes its line in docs/configuration.md. */
  settings?: S;
  /** Objects that live as long as the service. Controllers get them by their class; those with `stop` are ended with it. */
  objects?(parts: DomainParts<z.output<z.ZodObject<S>>>): readonly object[];
  reactors?(parts: DomainParts<z.output<z.ZodObject<S>>>): readonly Reactor[];
  /** What runs when a durable timer is due, by its command. */
  timers?(parts: DomainParts<z.output<z.ZodObject<S>>>): Readonly<Record<string, TimerHandler>>;
  /** What the domain's kinds of run do. */
  runs?(parts: DomainParts<z.output<z.ZodObject<S>>>): readonly RunHandler[];
  /** Values that are unique in the service. */
  reservations?(parts: DomainParts<z.output<z.ZodObject<S>>>): readonly ReservationKind[];
  /** How access to the domain's own kinds of resource is resolved. Asked for once the store is open. */
  resolvers?(parts: DomainParts<z.output<z.ZodObject<S>>>): AccessResolvers;
  /** Created before the service answers. */
  indexes?: OperationalIndexes;
  recovered?(parts: DomainParts<z.output<z.ZodObject<S>>>): ChangeRecorder;
  /** What follows from each change of the service that has succeeded. One domain of a service can have it. */
  changed?(parts: DomainParts<z.output<z.ZodObject<S>>>): ChangeRecorder;
}

/** One domain of a service, whatever its settings are. */
export interface Domain extends Pick<
  DomainDefinition<z.ZodRawShape>,
  'name' | 'controllers' | 'projections' | 'settings' | 'indexes'
> {
  objects?(parts: DomainParts<unknown>): readonly object[];
  reactors?(parts: DomainParts<unknown>): readonly Reactor[];
  timers?(parts: DomainParts<unknown>): Readonly<Record<string, TimerHandler>>;
  runs?(parts: DomainParts<unknown>): readonly RunHandler[];
  reservations?(parts: DomainParts<unknown>): readonly ReservationKind[];
  resolvers?(parts: DomainParts<unknown>): AccessResolvers;
  recovered?(parts: DomainParts<unknown>): ChangeRecorder;
  changed?(parts: DomainParts<unknown>): ChangeRecorder;
}

/** Declares a domain: everything that the service needs to know of a folder. */
export function defineDomain<const S extends z.ZodRawShape = Record<never, never>>(
  definition: DomainDefinition<S>,
): Domain {
  return definition;
}

/** What makes a service: its name, the operators' operations, and its domains. */
export interface ServiceDefinition {
  service: Service;
  operator: OperatorOperations;
  domains: readonly Domain[];
}

/** Declares a service. @throws when two domains have the same name, projection, setting or operational collection */
export function defineService(definition: ServiceDefinition): ServiceDefinition {
  const { service, domains } = definition;
  const claimed = domains.flatMap(({ name, projections = [], settings = {}, indexes = {} }) => [
    `domain ${name}`,
    ...projections.map(({ collection }) => `projection ${collection}`),
    ...Object.keys(settings).map((setting) => `setting ${setting}`),
    ...Object.keys(indexes).map((collection) => `collection ${collection}`),
  ]);
  const twice = claimed.find((claim, i) => claimed.indexOf(claim) !== i);
  if (twice !== undefined) throw new Error(`${service} has the ${twice} twice`);
  return definition;
}

/** All settings of the domains of a service. */
export function domainSettings({ domains }: Pick<ServiceDefinition, 'domains'>): z.ZodRawShape {
  return Object.assign({}, ...domains.map(({ settings }) => settings)) as z.ZodRawShape;
}

/** All projections of a service. */
export function projectionsOf({ domains }: Pick<ServiceDefinition, 'domains'>): AnyProjection[] {
  return domains.flatMap(({ projections = [] }) => [...projections]);
}
