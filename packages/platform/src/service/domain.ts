import type { Type } from '@nestjs/common';
import type { OperatorOperations, Service } from '@scriptorium/contracts';
import type {
  AnyProjection,
  CollectionIndexes,
  Reactor,
  ReservationKind,
  RunHandler,
  TimerHandler,
} from '@scriptorium/event-sourcing';
import type * as z from 'zod';
import type { Check } from '../process/admin.js';
import type { AccessResolvers } from '../scope/resource-access.js';
import type { Call } from '../handlers/handles.js';
import type { ServiceContext } from './service-context.js';

/** Indexes of operational collections, by collection. */
export type OperationalIndexes = CollectionIndexes;

/**
 * Records something about a successful change: that it was made without the enforced single sign-on, or that it was
 * made at all.
 */
export type ChangeRecorder = (call: Call, params: Readonly<Record<string, string>>) => Promise<void>;

/** A class, with which an object of a domain is looked up. */
export type ObjectType<T> = abstract new (...args: never[]) => T;

/** What the parts of a domain are created from. */
export interface DomainParts<S> {
  context: ServiceContext;
  /** The domain's own settings. */
  settings: S;
  /**
   * The object of this class that a domain of the service has created.
   * @throws when there is none
   */
  use: <T>(type: ObjectType<T>) => T;
}

interface DomainDefinition<S extends z.ZodRawShape> {
  name: string;
  controllers?: readonly Type[];
  projections?: readonly AnyProjection[];
  /** Environment variables that only this domain uses. Their descriptions become the lines of docs/configuration.md. */
  settings?: S;
  /**
   * Objects that live as long as the service. Controllers get them by their class. Those with a method `stop` are
   * stopped with the service; those with a method `start` too are started when the store is open, and stopped before
   * it.
   */
  objects?(parts: DomainParts<z.output<z.ZodObject<S>>>): readonly object[];
  reactors?(parts: DomainParts<z.output<z.ZodObject<S>>>): readonly Reactor[];
  /** Handlers of durable timers, by command. */
  timers?(parts: DomainParts<z.output<z.ZodObject<S>>>): Readonly<Record<string, TimerHandler>>;
  /** Handlers of the domain's kinds of run. */
  runs?(parts: DomainParts<z.output<z.ZodObject<S>>>): readonly RunHandler[];
  /** The unique values of the domain. */
  reservations?(parts: DomainParts<z.output<z.ZodObject<S>>>): readonly ReservationKind[];
  /** The access resolvers of the domain's kinds of resource. Called when the store is open. */
  resolvers?(parts: DomainParts<z.output<z.ZodObject<S>>>): AccessResolvers;
  /** The state of parts that `/readyz` names. They answer at once. */
  checks?(parts: DomainParts<z.output<z.ZodObject<S>>>): readonly (() => Check)[];
  /** Indexes that are created before the service answers. */
  indexes?: OperationalIndexes;
  recovered?(parts: DomainParts<z.output<z.ZodObject<S>>>): ChangeRecorder;
  /** Called after each successful change of the service. Only one domain of a service can have it. */
  changed?(parts: DomainParts<z.output<z.ZodObject<S>>>): ChangeRecorder;
}

/** One domain of a service, with any settings. */
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
  checks?(parts: DomainParts<unknown>): readonly (() => Check)[];
  recovered?(parts: DomainParts<unknown>): ChangeRecorder;
  changed?(parts: DomainParts<unknown>): ChangeRecorder;
}

/** Declares a domain: everything that the service has to know about a folder. */
export function defineDomain<const S extends z.ZodRawShape = Record<never, never>>(
  definition: DomainDefinition<S>,
): Domain {
  return definition;
}

/** A service: its name, the operations for operators, and its domains. */
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
