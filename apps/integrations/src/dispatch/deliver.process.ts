import type { StoreScope } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import type { Addresses } from '../addresses/index.js';
import { deliveries, handlePause, taskOf, type Delivery } from '../outbox/index.js';
import type { CallResult } from '../scripts/index.js';
import { tasks } from '../sealed/index.js';
import { readFacts, wholeConfiguration, type Facts } from './environment.process.js';
import { countFailure, forgetFailures } from './failures.operational.js';
import type { DispatchMetrics } from './metrics.process.js';
import { outcomeOf, pauseAfter, type Outcome } from './outcome.js';
import { payloadOf } from './payload.process.js';
import { recordAttempt } from './record-attempt.process.js';
import { sendToScript, type SendingParts } from './send.process.js';
import { dropTraces } from './traces.operational.js';

export interface DelivererParts extends SendingParts {
  context: ServiceContext;
  addresses: Addresses;
  metrics: DispatchMetrics;
}

/** What comes after a delivery: the next one, this one after a pause, or nothing by this replica. */
export type After =
  { kind: 'next' } | { kind: 'pause'; ms: number; of: 'installation' | 'integration' | 'all' } | { kind: 'lost' };

const deadlineMs = 30_000;
const mostFailures = 100;
const notActive = 'not_active';

/** Delivers to scripts, and records what came of it. */
export class Deliverer {
  readonly #parts: DelivererParts;

  constructor(parts: DelivererParts) {
    this.#parts = parts;
  }

  /** Delivers once. `has`: whether this replica may still record what came of it. */
  async deliver(delivery: Delivery, has: () => boolean): Promise<After> {
    const { context } = this.#parts;
    const store = this.#scope(delivery);
    const called = taskOf(delivery) === undefined ? delivery : { ...delivery, installation: null };
    const facts = await readFacts({ ...this.#parts, store }, called);
    const event = facts !== undefined && isDue(delivery, facts) ? await this.#eventOf(delivery, facts) : undefined;
    if (facts === undefined || event === undefined) {
      await this.#end(delivery, 'failed', notActive);
      return { kind: 'next' };
    }
    const time = context.now();
    const { event: id } = delivery;
    const installedIn = called.installation === null ? null : delivery.organization;
    const sent = { facts, store, id, event, installedIn, deadlineMs, repeat: 'alone' } as const;
    const result = await sendToScript(this.#parts, sent);
    if (!has()) return { kind: 'lost' };
    const outcome = outcomeOf('answer' in result ? result.answer : result.failure);
    this.#parts.metrics.attempted('reason' in outcome ? outcome.reason : outcome.kind);
    if (outcome.kind === 'wait') return this.#wait(delivery, outcome);
    await this.#record(delivery, time, result);
    return this.#follow(store, delivery, { outcome, isDev: result.isDev === true });
  }

  #scope({ organization, event }: Delivery): StoreScope {
    const operation = 'deliver_event';
    const actor = { kind: 'system', id: operation };
    return this.#parts.context.store.scope({ actor, organization, operation, correlation: event, idem: event });
  }

  /** What the script gets; `undefined` for a task that has ended. */
  async #eventOf(delivery: Delivery, facts: Facts): Promise<object | undefined> {
    const { context } = this.#parts;
    const { integration } = facts;
    const { installation, target, event: eventId, type } = delivery;
    const version = taskOf(delivery);
    if (version !== undefined) {
      const text = await tasks.find(context, { owner: integration._id, version });
      return text === undefined ? undefined : { eventId, type, task: JSON.parse(text) as object };
    }
    return payloadOf(delivery, facts, (before) =>
      before === null
        ? Promise.resolve({})
        : wholeConfiguration({ context }, integration, {
            owner: installation,
            target: target ?? undefined,
            version: before,
          }),
    );
  }

  async #record(delivery: Delivery, time: number, result: CallResult): Promise<void> {
    const { context } = this.#parts;
    const { event, integration, installation } = delivery;
    await recordAttempt(context, { event, integration, installation, time }, result);
  }

  async #wait(delivery: Delivery, { reason, ms }: Extract<Outcome, { kind: 'wait' }>): Promise<After> {
    await this.#change(delivery, { nextAt: this.#parts.context.now() + ms });
    return { kind: 'pause', ms, of: whoWaits(reason, this.#parts.runtime.isThere) };
  }

  async #follow(
    store: StoreScope,
    delivery: Delivery,
    { outcome, isDev }: { outcome: Exclude<Outcome, { kind: 'wait' }>; isDev: boolean },
  ): Promise<After> {
    const { context } = this.#parts;
    const attempts = delivery.attempts + 1;
    if (outcome.kind === 'success') {
      await Promise.all([
        this.#end({ ...delivery, attempts }, 'success', outcome.isHandled ? null : 'not_handled'),
        forgetFailures(context, delivery.installation),
      ]);
      return { kind: 'next' };
    }
    // What a developer gets is not sent again, and says nothing about the installation.
    const ms = outcome.kind === 'again' && !isDev ? pauseAfter(attempts, Math.random()) : undefined;
    if (ms !== undefined) {
      await this.#change(delivery, { attempts, nextAt: context.now() + ms });
      return { kind: 'pause', ms, of: 'installation' };
    }
    await this.#end({ ...delivery, attempts }, 'failed', outcome.reason);
    if (isDev || taskOf(delivery) !== undefined) return { kind: 'next' };
    if ((await countFailure(context, delivery.installation)) >= mostFailures) await this.#pause(store, delivery);
    return { kind: 'next' };
  }

  /** Changes a delivery that waits. One that was removed while the script was called leaves no trace. */
  async #change({ _id, event }: Delivery, changed: Partial<Delivery>): Promise<void> {
    const { context } = this.#parts;
    const { matchedCount } = await deliveries(context).updateOne({ _id, state: 'queued' }, { $set: changed });
    if (matchedCount > 0) return;
    if ((await deliveries(context).countDocuments({ _id }, { limit: 1 })) === 0) await dropTraces(context, [event]);
  }

  async #pause(store: StoreScope, { installation }: Delivery): Promise<void> {
    await handlePause(store, installation, 'failures');
    await forgetFailures(this.#parts.context, installation);
    this.#parts.metrics.paused('failures');
    this.#parts.context.logger.error({ installation }, 'An installation is paused, since its deliveries fail');
  }

  async #end(delivery: Delivery, state: 'success' | 'failed', reason: string | null): Promise<void> {
    const { context } = this.#parts;
    const { attempts, integration: owner } = delivery;
    await this.#change(delivery, { state, reason, attempts });
    const version = taskOf(delivery);
    if (version !== undefined) await tasks.drop(context, [{ owner, version }]);
  }
}

/** Whose deliveries wait: while the runtime does not answer all do. Without one, developers get theirs. */
function whoWaits(reason: string, hasRuntime: boolean): 'installation' | 'integration' | 'all' {
  if (reason === 'integration_resting') return 'integration';
  if (!hasRuntime) return 'installation';
  return reason === 'runtime_busy' ? 'installation' : 'all';
}

/** Whether an installation gets a delivery as things are now. */
function isDue({ type }: Delivery, { status, installation }: Facts): boolean {
  if (installation === null) return type === 'installation_deleted' || type === 'task';
  if (status === 'active') return type !== 'installation_deleted';
  return status === 'pending' && (type.endsWith('_setup') || type.endsWith('_deleted'));
}
