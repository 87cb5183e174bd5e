import { installationReach, integrationReach } from '@scriptorium/access';
import type { Stored, StoreScope } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import type { Collection } from 'mongodb';
import { handlePause } from './pause.process.js';
import { installations, targetEntries, type Target } from '../installations/index.js';
import { knownSpaces } from '../places/index.js';
import { integrations } from '../publishing/index.js';
import { countQueued, deliveryOf, insertDeliveries, type Delivery } from './deliveries.operational.js';
import { lastInstallations } from './last-installation.projection.js';
import type { Cause } from './cause.js';
import { outbox, type OutboxDocument } from './outbox.projection.js';
import { plannedForAll, plannedForOne, type Planned, type Receiver } from './receivers.js';
import { setupTargetsRun } from './setup-targets.run.js';

interface PlannerDocument {
  _id: string;
  /** Everything up to here is planned. */
  position: number;
}

const batch = 256;
/** The most that may wait for one installation. */
const mostQueued = 10_000;

/** What has to have passed an event before it is planned: it decides who gets it, and what they are told. */
const models = [
  outbox,
  installationReach,
  integrationReach,
  installations,
  integrations,
  targetEntries,
  knownSpaces,
  lastInstallations,
];

/** Plans deliveries from what has happened, in the order of the log. One replica does so at a time. */
export class Planner {
  readonly #context: ServiceContext;

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  /**
   * Plans what is next. `holds`: whether this replica may still do so. The number of deliveries; `undefined` when there
   * was nothing to plan.
   */
  async step(holds: () => boolean): Promise<number | undefined> {
    const store = this.#scope();
    const checkpoint = (await this.#checkpoints.findOne({ _id: 'planner' }))?.position ?? -1;
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
    await insertDeliveries(this.#context, planned);
    await this.#pauseFull(store, planned);
    // What was not read because of the limit has a higher position, or that of the last one, which is read again.
    const last = docs.length < batch ? upTo : (docs.at(-1)?.position ?? upTo) - 1;
    if (last > checkpoint)
      await this.#checkpoints.updateOne({ _id: 'planner' }, { $max: { position: last } }, { upsert: true });
    return docs.length === 0 ? undefined : planned.length;
  }

  get #checkpoints(): Collection<PlannerDocument> {
    return this.#context.database.collection<PlannerDocument>('op_planner');
  }

  #scope(): StoreScope {
    const operation = 'plan_deliveries';
    return this.#context.store.scope({
      actor: { kind: 'system', id: operation },
      organization: null,
      operation,
      correlation: operation,
    });
  }

  /** The position that all read models have passed. */
  async #passed(): Promise<number> {
    const passed = await Promise.all(models.map((model) => this.#context.store.written(model)));
    return Number(passed.reduce((least, one) => (one < least ? one : least)));
  }

  async #plan(store: StoreScope, docs: readonly Stored<OutboxDocument>[]): Promise<Delivery[]> {
    const now = this.#context.now();
    const found = new Map<string, Receiver[]>();
    const all: Delivery[] = [];
    for (const { position, organization, causes, _id } of docs)
      for (const cause of causes) {
        const of = organization ?? (await organizationOf(store, cause));
        if (of === null) continue;
        if (!found.has(of)) found.set(of, await receiversIn(store, of));
        const receivers = found.get(of) ?? [];
        if (cause.kind === 'all_selected')
          await requestSetup(store.in(of), _id, { installation: cause.installation, targets: cause.targets, position });
        const planned = [...plannedFor(cause, position, receivers), ...ended(cause, of)];
        all.push(...planned.map((one) => deliveryOf(one, position, now)));
      }
    return all;
  }

  /** Who does not take what is delivered gets no more, so that what waits has a bound. */
  async #pauseFull(store: StoreScope, planned: readonly Delivery[]): Promise<void> {
    const receivers = new Map(planned.map(({ installation, organization }) => [installation, organization]));
    for (const [installation, organization] of receivers)
      if ((await countQueued(this.#context, installation, mostQueued + 1)) > mostQueued)
        await handlePause(store.in(organization), installation, 'queue_full');
  }
}

/** The same event requests the same run. */
async function requestSetup(
  store: StoreScope,
  event: string,
  { installation, targets, position }: { installation: string; targets: readonly Target['kind'][]; position: number },
): Promise<void> {
  const input = { installation, targets: [...targets], position };
  await store.requestRun(setupTargetsRun, { id: `setup-${event}`, input });
}

function plannedFor(cause: Cause, position: number, receivers: readonly Receiver[]): Planned[] {
  if (!('installation' in cause)) return plannedForAll(cause, position, receivers);
  return plannedForOne(
    cause,
    receivers.find(({ id }) => id === cause.installation),
  );
}

/** An installation that has ended is not among the receivers. */
function ended(cause: Cause, organization: string): Planned[] {
  if (cause.kind !== 'installation_deleted') return [];
  const { installation, integration } = cause;
  return [{ installation, integration, organization, type: 'installation_deleted' }];
}

async function organizationOf(store: StoreScope, cause: Cause): Promise<string | null> {
  if (cause.kind !== 'content_updated') return null;
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
