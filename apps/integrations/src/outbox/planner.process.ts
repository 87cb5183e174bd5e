import {
  installationReach,
  installedIntegrations,
  integrationReach,
  nodeAccess,
  type ServiceAccess,
} from '@scriptorium/access';
import { pause, untilBeat, type Stored, type StoreScope } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import type { Collection } from 'mongodb';
import { installations, targetEntries } from '../installations/index.js';
import { knownSpaces, siteShowings } from '../places/index.js';
import { integrations } from '../publishing/index.js';
import { webhooks } from '../webhooks/index.js';
import { deliveryOf, insertDeliveries, type AnyDelivery } from './deliveries.operational.js';
import { lastInstallations } from './last-installation.projection.js';
import { lastIntegrations } from './last-integration.projection.js';
import type { Cause } from './cause.js';
import { causesOf, organizationOf } from './causes.queries.js';
import { outbox, type OutboxDocument } from './outbox.projection.js';
import { causesKeptMs, removeOldCauses } from './kept-causes.process.js';
import { QueueBound } from './queue-bound.process.js';
import { plannedFor, plannedForWebhooks, type Planned } from './receivers.js';
import { plannedForVisibility } from './space-visibility.js';
import { setupInstallationsRun } from './setup-installations.run.js';
import { setupTargetsRun } from './setup-targets.run.js';
import { VisibilityChanges } from './visibility-changes.process.js';
import { webhookDelivery } from './webhook-deliveries.operational.js';

interface PlannerDocument {
  _id: string;
  /** Everything up to here is planned. */
  position: number;
}

const batch = 256;
/** What another replica has recorded is heard of at once; what was not is found after 5 to 7.5 s. */
const looksAfterMs = 5_000;

/** What has to have passed an event before it is planned: it decides who gets it, and what they are told. */
const models = [
  outbox,
  installationReach,
  integrationReach,
  installations,
  integrations,
  lastIntegrations,
  targetEntries,
  knownSpaces,
  siteShowings,
  nodeAccess,
  lastInstallations,
  webhooks,
];

export interface PlannerParts {
  context: ServiceContext;
  access: ServiceAccess;
  /** The most that may wait for one installation. */
  mostQueued: number;
}

/** What the planner tells while it works. */
export interface PlannerListener {
  /** These deliveries are stored. */
  planned(deliveries: readonly AnyDelivery[]): void;
  /** An installation is paused, or a webhook disabled, since too much waits for it. */
  paused(): void;
}

/** Plans deliveries from what has happened, in the order of the log. One replica does so at a time. */
export class Planner {
  readonly #parts: PlannerParts;
  /** The state of the outbox of which everything is planned, and until when that is believed. */
  #done: { version: string; until: number } | undefined;
  /** Whether there may be something planned that is kept no longer. */
  #mayBeOld = true;
  readonly #bound: QueueBound;
  readonly #visibility: VisibilityChanges;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
    this.#bound = new QueueBound(parts);
    this.#visibility = new VisibilityChanges(parts);
  }

  /**
   * Plans what is next, and resolves to whether there may be more. Asks no server while nothing has happened. `holds`:
   * whether this replica may still do so.
   */
  async step(holds: () => boolean, listener: PlannerListener): Promise<boolean> {
    if (this.#isDone) return false;
    const store = this.#scope();
    const version = this.#version;
    const [checkpoint, upTo] = await Promise.all([this.planned(), this.#passed()]);
    if (!store.isLive(models)) return false;
    const found = await store
      .read(outbox)
      .find({ position: { $gt: checkpoint } })
      .sort({ position: 1, _id: 1 })
      .limit(batch)
      .toArray();
    const docs = found.filter(({ position }) => position <= upTo);
    await this.#visibility.begin(store);
    const planned = await this.#plan(store, docs);
    if (!holds()) return false;
    await insertDeliveries(this.#parts.context, planned);
    listener.planned(planned);
    await this.#bound.pauseFull(store, planned, () => listener.paused());
    // What was not read because of the limit has a higher position, or that of the last one, which is read again.
    const last = docs.length < batch ? upTo : (docs.at(-1)?.position ?? upTo) - 1;
    if (last > checkpoint) await this.#move(last);
    const isAll = found.length < batch && docs.length === found.length;
    if (isAll && version !== undefined) this.#done = { version, until: performance.now() + looksAfterMs };
    return found.length === batch && docs.length > 0;
  }

  /** Resolves when there may be more to do: when that is told, or after 5 to 7.5 s without a word. */
  async rest(signal: AbortSignal): Promise<void> {
    if (!this.#isDone || this.#mayBeOld) return;
    let wake: () => void = () => undefined;
    const end = this.#parts.context.store.onChange(outbox, () => wake());
    await pause(untilBeat(looksAfterMs), signal, (woken) => (wake = woken));
    end();
  }

  /** Whether everything is planned, as far as that is known without asking a server. */
  get #isDone(): boolean {
    const done = this.#done;
    return done !== undefined && done.version === this.#version && performance.now() < done.until;
  }

  get #version(): string | undefined {
    return this.#parts.context.store.version([outbox]);
  }

  /** The most that may wait for one installation or webhook. */
  get mostQueued(): number {
    return this.#parts.mostQueued;
  }

  /** The position in the log up to which everything is planned. */
  async planned(): Promise<number> {
    return (await this.#checkpoints.findOne({ _id: 'planner' }))?.position ?? -1;
  }

  get #checkpoints(): Collection<PlannerDocument> {
    return this.#parts.context.database.collection<PlannerDocument>('op_planner');
  }

  /**
   * What is planned is kept for a while, so that it can be delivered again. Removes some of what is older, if something
   * was planned since: a part each time, so that neither deliveries nor the end of the process wait for all of it.
   */
  async removeOld(holds: () => boolean): Promise<void> {
    if (!holds() || !this.#mayBeOld) return;
    const store = this.#scope();
    if (!store.isLive([outbox])) return;
    const before = this.#parts.context.now() - causesKeptMs;
    this.#mayBeOld = await removeOldCauses(store, { before, planned: await this.planned() });
  }

  async #move(position: number): Promise<void> {
    await this.#checkpoints.updateOne({ _id: 'planner' }, { $max: { position } }, { upsert: true });
    this.#mayBeOld = true;
  }

  #scope(): StoreScope {
    const operation = 'plan_deliveries';
    return this.#parts.context.store.scope({
      actor: { kind: 'system', id: operation },
      organization: null,
      operation,
      correlation: operation,
    });
  }

  /** The position that all read models have passed. */
  async #passed(): Promise<number> {
    const passed = await Promise.all(models.map((model) => this.#parts.context.store.written(model)));
    return Number(passed.reduce((least, one) => (one < least ? one : least)));
  }

  async #plan(store: StoreScope, docs: readonly Stored<OutboxDocument>[]): Promise<AnyDelivery[]> {
    const now = this.#parts.context.now();
    const found = new Map<string, Awaited<ReturnType<typeof receiversIn>>>();
    const changesOf = this.#visibility.batch(store);
    const all: AnyDelivery[] = [];
    for (const doc of docs)
      for (const cause of await causesOf(this.#parts.access, store, doc)) {
        if (cause.kind === 'demands_changed') await requestInstallations(store, doc, cause);
        const of = await organizationOf(store, cause, doc.organization);
        if (of === null) continue;
        const receivers = found.get(of) ?? (await receiversIn(store, of));
        found.set(of, receivers);
        if (cause.kind === 'all_selected' || cause.kind === 'all_deselected')
          await requestTargets(store.in(of), doc, cause);
        const { position, time: happenedAt } = doc;
        const planned = [...plannedFor(cause, position, receivers.installations), ...ended(cause, of)];
        for (const change of await changesOf(cause, of, position))
          planned.push(...plannedForVisibility(change, position, receivers.installations));
        all.push(...planned.map((one) => deliveryOf(one, position, now)));
        const sent = plannedForWebhooks(cause, position, receivers.webhooks);
        all.push(...sent.map((one) => webhookDelivery(one, { position, happenedAt }, now)));
      }
    return all;
  }
}

/** Who can get something in an organization. */
async function receiversIn(store: StoreScope, organization: string) {
  const [installed, found] = await Promise.all([
    installedIntegrations(store, organization),
    store.read(webhooks).find({ organization }).toArray(),
  ]);
  return { installations: installed, webhooks: found };
}

type Of<K extends Cause['kind']> = Extract<Cause, { kind: K }>;
type Doc = Pick<Stored<OutboxDocument>, '_id' | 'position'>;

/** The same event requests the same run. */
async function requestTargets(
  store: StoreScope,
  { _id: event, position }: Doc,
  { kind, installation, targets }: Of<'all_selected' | 'all_deselected'>,
): Promise<void> {
  const selected = kind === 'all_selected';
  const id = selected ? `setup-${event}` : `end-${event}`;
  await store.requestRun(setupTargetsRun, { id, input: { installation, targets: [...targets], position, selected } });
}

async function requestInstallations(
  store: StoreScope,
  { _id: event, position }: Doc,
  { integration, demands, before }: Of<'demands_changed'>,
): Promise<void> {
  const input = { integration, position, demands, before };
  await store.requestRun(setupInstallationsRun, { id: `demands-${event}`, input });
}

/** An installation that has ended is not among the receivers. */
function ended(cause: Cause, organization: string): Planned[] {
  if (cause.kind !== 'installation_deleted') return [];
  const { installation, integration } = cause;
  return [{ installation, integration, organization, type: 'installation_deleted' }];
}
