import { installationReach, integrationReach, nodeAccess, type ServiceAccess } from '@scriptorium/access';
import type { Stored, StoreScope } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import type { Collection } from 'mongodb';
import { handlePause } from './pause.process.js';
import { installations, targetEntries } from '../installations/index.js';
import { knownSpaces } from '../places/index.js';
import { integrations } from '../publishing/index.js';
import { countQueued, deliveryOf, insertDeliveries, type Delivery } from './deliveries.operational.js';
import { lastInstallations } from './last-installation.projection.js';
import { lastIntegrations } from './last-integration.projection.js';
import type { Cause } from './cause.js';
import { outbox, type OutboxDocument } from './outbox.projection.js';
import { plannedForAll, plannedForOne, type Planned, type Receiver } from './receivers.js';
import { setupInstallationsRun } from './setup-installations.run.js';
import { setupTargetsRun } from './setup-targets.run.js';

interface PlannerDocument {
  _id: string;
  /** Everything up to here is planned. */
  position: number;
}

const batch = 256;

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
  nodeAccess,
  lastInstallations,
];

export interface PlannerParts {
  context: ServiceContext;
  access: ServiceAccess;
  /** The most that may wait for one installation. */
  mostQueued: number;
}

/** Plans deliveries from what has happened, in the order of the log. One replica does so at a time. */
export class Planner {
  readonly #parts: PlannerParts;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
  }

  /**
   * Plans what is next. `holds`: whether this replica may still do so. Resolves to the deliveries; `undefined` when
   * there was nothing to plan. `paused`: called for an installation that is paused, since too much waits for it.
   */
  async step(holds: () => boolean, paused: () => void): Promise<readonly Delivery[] | undefined> {
    const store = this.#scope();
    const checkpoint = await this.planned();
    const upTo = await this.#passed();
    if (upTo <= checkpoint || !store.isLive(models)) return undefined;
    const docs = await store
      .read(outbox)
      .find({ position: { $gt: checkpoint, $lte: upTo } })
      .sort({ position: 1, _id: 1 })
      .limit(batch)
      .toArray();
    const planned = await this.#plan(store, docs);
    if (!holds()) return undefined;
    await insertDeliveries(this.#parts.context, planned);
    await this.#pauseFull(store, planned, paused);
    // What was not read because of the limit has a higher position, or that of the last one, which is read again.
    const last = docs.length < batch ? upTo : (docs.at(-1)?.position ?? upTo) - 1;
    if (last > checkpoint) await this.#move(store, last);
    return docs.length === 0 ? undefined : planned;
  }

  /** The position in the log up to which everything is planned. */
  async planned(): Promise<number> {
    return (await this.#checkpoints.findOne({ _id: 'planner' }))?.position ?? -1;
  }

  get #checkpoints(): Collection<PlannerDocument> {
    return this.#parts.context.database.collection<PlannerDocument>('op_planner');
  }

  /** What is planned is not needed any more, also where nobody gets it. */
  async #move(store: StoreScope, position: number): Promise<void> {
    await this.#checkpoints.updateOne({ _id: 'planner' }, { $max: { position } }, { upsert: true });
    await store.read(outbox).raw.deleteMany({ position: { $lte: position } });
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

  async #plan(store: StoreScope, docs: readonly Stored<OutboxDocument>[]): Promise<Delivery[]> {
    const now = this.#parts.context.now();
    const found = new Map<string, Receiver[]>();
    const all: Delivery[] = [];
    for (const doc of docs)
      for (const cause of await this.#causesOf(store, doc)) {
        if (cause.kind === 'demands_changed') await requestInstallations(store, doc, cause);
        const of = await organizationOf(store, cause, doc.organization);
        if (of === null) continue;
        if (!found.has(of)) found.set(of, await receiversIn(store, of));
        if (cause.kind === 'all_selected' || cause.kind === 'all_deselected')
          await requestTargets(store.in(of), doc, cause);
        const planned = [...plannedFor(cause, doc.position, found.get(of) ?? []), ...ended(cause, of)];
        all.push(...planned.map((one) => deliveryOf(one, doc.position, now)));
      }
    return all;
  }

  /** The causes of an event; of a collection those of the spaces in it. */
  async #causesOf(store: StoreScope, { organization, causes }: OutboxDocument): Promise<readonly Cause[]> {
    const all: Cause[] = [];
    for (const cause of causes)
      if (cause.kind !== 'collection_removed') all.push(cause);
      else if (organization !== null)
        for (const id of await this.#spacesDeletedWith(store, organization, cause))
          all.push({ kind: 'place_removed', target: { kind: 'space', id } });
    return all;
  }

  async #spacesDeletedWith(
    store: StoreScope,
    organization: string,
    { collection, at }: Extract<Cause, { kind: 'collection_removed' }>,
  ): Promise<string[]> {
    const nodes = await this.#parts.access.nodesOf({ store }, organization);
    const deleted = nodes.within(collection).filter((id) => nodes.deletedAt(id) === at);
    return (await store.read(knownSpaces).byIds(deleted)).map(({ _id }) => _id);
  }

  /** Who does not take what is delivered gets no more, so that what waits has a bound. */
  async #pauseFull(store: StoreScope, planned: readonly Delivery[], paused: () => void): Promise<void> {
    const { context, mostQueued } = this.#parts;
    const receivers = new Map(planned.map(({ installation, organization }) => [installation, organization]));
    for (const [installation, organization] of receivers)
      if ((await countQueued(context, installation, mostQueued + 1)) > mostQueued) {
        if (!(await handlePause(store.in(organization), installation, 'queue_full'))) continue;
        paused();
        context.logger.error({ installation }, 'An installation is paused, since too much waits for it');
      }
  }
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

function plannedFor(cause: Cause, position: number, receivers: readonly Receiver[]): Planned[] {
  if (!('installation' in cause)) return plannedForAll(cause, position, receivers);
  return plannedForOne(
    cause,
    position,
    receivers.find(({ id }) => id === cause.installation),
  );
}

/** An installation that has ended is not among the receivers. */
function ended(cause: Cause, organization: string): Planned[] {
  if (cause.kind !== 'installation_deleted') return [];
  const { installation, integration } = cause;
  return [{ installation, integration, organization, type: 'installation_deleted' }];
}

/** Where a cause counts. `recorded`: the organization in which it was recorded. */
async function organizationOf(store: StoreScope, cause: Cause, recorded: string | null): Promise<string | null> {
  if ('organization' in cause && cause.organization !== undefined) return cause.organization;
  if (recorded !== null || cause.kind !== 'content_updated') return recorded;
  return (await store.read(knownSpaces).byId(cause.space))?.organization ?? null;
}

async function receiversIn(store: StoreScope, organization: string): Promise<Receiver[]> {
  const all = await store.read(installationReach).find({ organization }).toArray();
  const ids = [...new Set(all.map(({ integration }) => integration))];
  const known = new Map((await store.read(integrationReach).byIds(ids)).map((one) => [one._id, one]));
  return all.flatMap(({ _id: id, ...reach }) => {
    const integration = known.get(reach.integration);
    return integration === undefined ? [] : [{ id, reach, integration }];
  });
}
