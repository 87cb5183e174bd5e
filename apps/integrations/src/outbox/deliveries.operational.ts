import { integrationCallTypes, type InstallationStatus, type WebhookEventType } from '@scriptorium/contracts';
import { isDuplicate } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { createHash } from 'node:crypto';
import type { Collection } from 'mongodb';
import type { Target } from '../installations/index.js';
import type { Before } from './cause.js';
import { targetKey } from './last-installation.projection.js';
import type { DeliveryType, Planned } from './receivers.js';

type Within = Pick<ServiceContext, 'database'>;

/** The type of a call that somebody waits for. */
export type CallType = (typeof integrationCallTypes)[number];

/** Something that is delivered to an installation. What a script gets is made of it when it is sent. */
export type Delivery = DeliveryOf<DeliveryType | CallType>;

/** Something that is sent to a webhook. Its `installation` is the queue of the webhook; its slot is above `slots`. */
export type WebhookDelivery = DeliveryOf<WebhookEventType | 'test'>;
export type AnyDelivery = Delivery | WebhookDelivery;

interface DeliveryOf<T extends string> {
  /** `<position>:<installation>:<target>:<type>`: the same plan inserts nothing twice. */
  _id: string;
  /** The id under which scripts and people know it. */
  event: string;
  integration: string;
  /** Empty for a call of an integration as such. */
  installation: string;
  organization: string;
  /** A hash of the installation: who delivers to it has the lane of its slot. */
  slot: number;
  /** Where the cause is in the log. Deliveries of an installation follow each other by it. */
  position: number;
  /** Among those of one position: the installation's own first. */
  rank: number;
  /** Calls are not delivered: they are here when they have failed. */
  type: T;
  target: Target | null;
  revision: string | null;
  status: InstallationStatus | null;
  before: Before | null;
  /** The visibility of a space that was until then, and that is there now, where that is told. */
  visibility?: Planned['visibility'];
  state: 'queued' | 'success' | 'failed';
  /** Why it has failed. */
  reason: string | null;
  attempts: number;
  /** The replay that has queued it. */
  replay?: string;
  /** When it is tried next, ms. */
  nextAt: number;
  createdAt: string;
  /** When it was queued, the last time, ms: from then on it waits, and is kept. */
  at: number;
}

/** Each task has a queue of its own, as installations have. */
const taskQueue = 'task-';
const callTypes: ReadonlySet<string> = new Set(integrationCallTypes);
/** The slots of installations. Those of webhooks follow them. */
export const slots = 256;
const day = 24 * 3_600_000;
/** How long what was delivered is kept, ms. */
export const deliveriesKeptMs = 30 * day;
const removedAtOnce = 1_000;

export const deliveryIndexes = {
  op_deliveries: [
    { key: { state: 1, slot: 1, nextAt: 1 }, name: 'state_slot_next' },
    { key: { installation: 1, state: 1, position: 1, rank: 1, _id: 1 }, name: 'installation_state_position' },
    { key: { integration: 1, createdAt: -1, _id: -1 }, name: 'integration_created' },
    { key: { event: 1 }, name: 'event' },
    { key: { at: 1 }, name: 'at' },
    { key: { state: 1, position: 1, _id: 1 }, name: 'state_position_id' },
    { key: { state: 1, at: 1 }, name: 'state_at' },
    { key: { 'target.id': 1 }, name: 'target' },
  ],
} as const;

export function deliveries({ database }: Within): Collection<Delivery> {
  return database.collection<Delivery>('op_deliveries');
}

/** The slot of an installation. */
export function slotOf(installation: string): number {
  return createHash('sha256').update(installation).digest().readUInt8(0) % slots;
}

/** A delivery as it is planned at `now`. */
export function deliveryOf<T extends string>(
  planned: Omit<Planned, 'type'> & { type: T },
  position: number,
  now: number,
): DeliveryOf<T> {
  const { target = null, revision = null, status = null, before = null, installation, type, visibility } = planned;
  const _id = [position, installation, target === null ? '' : targetKey(target), type].join(':');
  return {
    _id,
    event: createHash('sha256').update(_id).digest('base64url').slice(0, 24),
    integration: planned.integration,
    installation,
    organization: planned.organization,
    slot: slotOf(installation),
    position,
    rank: target === null ? 0 : 1,
    type,
    target,
    revision,
    status,
    before,
    ...(visibility === undefined ? {} : { visibility }),
    state: 'queued',
    reason: null,
    attempts: 0,
    nextAt: now,
    createdAt: new Date(now).toISOString(),
    at: now,
  };
}

/** A task of an integration as it is delivered: for no installation, so it waits for nothing else. */
export function taskDelivery(
  { integration, organization, task }: { integration: string; organization: string; task: string },
  now: number,
): Delivery {
  const installation = `${taskQueue}${task}`;
  return deliveryOf({ integration, organization, installation, type: 'task' }, 0, now);
}

/** The id of the task that is delivered; `undefined` for what is no task. */
export function taskOf({ type, installation }: Pick<Delivery, 'type' | 'installation'>): string | undefined {
  return type === 'task' ? installation.slice(taskQueue.length) : undefined;
}

/**
 * A call that is recorded. `reason`: why it has failed. `organization`: where it is installed, or the owner of the
 * integration.
 */
export interface RecordedCall {
  event: string;
  integration: string;
  installation: string | null;
  organization: string;
  type: CallType;
  target: Target | null;
  reason: string | null;
}

/** Whether something is a call that somebody has waited for, which is never delivered again. */
export function isCall({ type }: Pick<Delivery, 'type'>): boolean {
  return callTypes.has(type);
}

/** Whether it tells a script that an installation, or what it had on a space or site, has ended. */
export function tellsOfEnd({ type }: Pick<Delivery, 'type'>): boolean {
  return type.endsWith('_deleted');
}

/** Records a call as if it had been delivered. */
export async function insertCall(scope: Within, call: RecordedCall, now: number): Promise<void> {
  const installation = call.installation ?? '';
  const none = { revision: null, status: null, before: null, position: 0, rank: 0 };
  const state = call.reason === null ? ('success' as const) : ('failed' as const);
  const ended = { state, attempts: 1, nextAt: now, createdAt: new Date(now).toISOString(), at: now };
  const _id = `call:${call.event}`;
  await deliveries(scope).insertOne({ ...none, ...call, ...ended, _id, installation, slot: slotOf(installation) });
}

/** Stores what was planned. What is there already stays as it is, however far it is. */
export async function insertDeliveries(scope: Within, planned: readonly AnyDelivery[]): Promise<void> {
  if (planned.length === 0) return;
  try {
    await scope.database.collection<AnyDelivery>('op_deliveries').insertMany([...planned], { ordered: false });
  } catch (error) {
    if (!isOnlyDuplicates(error)) throw error;
  }
}

/** Whether nothing but what was there already was refused. */
function isOnlyDuplicates(error: unknown): boolean {
  const { writeErrors } = error as { writeErrors?: readonly { code?: number }[] };
  const all = writeErrors === undefined ? [] : [writeErrors].flat();
  return all.length === 0 ? isDuplicate(error) : all.every(({ code }) => code === 11_000);
}

/** The spaces and sites, of those of deliveries of one installation, of which it is told the same again later. */
export async function toldLater(scope: Within, [first, ...others]: readonly Delivery[]): Promise<ReadonlySet<string>> {
  if (first === undefined) return new Set();
  const { installation, type, position } = first;
  const ids = [first, ...others].flatMap(({ target }) => (target === null ? [] : [target.id]));
  const later = { installation, type, position: { $gt: position }, 'target.id': { $in: ids } };
  const found = await deliveries(scope).find(later).project<Pick<Delivery, 'target'>>({ target: 1 }).toArray();
  return new Set(found.flatMap(({ target }) => (target === null ? [] : [target.id])));
}

/** How many wait for an installation, up to `most`. */
export function countQueued(scope: Within, installation: string, most: number): Promise<number> {
  return deliveries(scope).countDocuments({ installation, state: 'queued' }, { limit: most });
}

/** Whether something waits to be delivered to any installation of an integration. */
export async function isAnyQueued(scope: Within, integration: string): Promise<boolean> {
  return (await deliveries(scope).countDocuments({ integration, state: 'queued' }, { limit: 1 })) > 0;
}

/** Whether something waits to be delivered to an installation because of a space or site. */
export async function isAnyQueuedFor(scope: Within, { kind, id }: Target): Promise<boolean> {
  const filter = { 'target.id': id, 'target.kind': kind, state: 'queued', slot: { $lt: slots } } as const;
  return (await deliveries(scope).countDocuments(filter, { limit: 1 })) > 0;
}

/** Of what deliveries are removed: of an integration, of an installation, or of a space or site. */
export type Deliveries = { integration: string } | { installation: string } | { target: Target };

/** Removes deliveries, also those that wait; the ids of their events, some at a time. Safe to repeat. */
export async function* dropDeliveries(scope: Within, of: Deliveries): AsyncGenerator<string[]> {
  const filter = 'target' in of ? { 'target.id': of.target.id, 'target.kind': of.target.kind } : of;
  for (;;) {
    const found = await deliveries(scope)
      .find(filter)
      .project<{ _id: string; event: string }>({ event: 1 })
      .limit(removedAtOnce)
      .toArray();
    if (found.length === 0) return;
    await deliveries(scope).deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    yield found.map(({ event }) => event);
  }
}

/** Removes deliveries of before `time`, ms. Whether there may be more. */
export async function removeOldDeliveries(scope: Within, time: number): Promise<boolean> {
  const old = await deliveries(scope)
    .find({ at: { $lt: time } })
    .project<{ _id: string }>({ _id: 1 })
    .limit(removedAtOnce)
    .toArray();
  if (old.length > 0) await deliveries(scope).deleteMany({ _id: { $in: old.map(({ _id }) => _id) } });
  return old.length === removedAtOnce;
}
