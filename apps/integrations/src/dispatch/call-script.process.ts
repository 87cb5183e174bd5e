import { AppError } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { randomUUID } from 'node:crypto';
import type { Addresses } from '../addresses/index.js';
import { installations } from '../installations/index.js';
import { insertCall, lastInstallations, lastIntegrations, type CallType } from '../outbox/index.js';
import { integrations } from '../publishing/index.js';
import type { CallResult, ScriptAnswer } from '../scripts/index.js';
import { refusalOfCall } from './call-failure.js';
import { CallSlots } from './call-slots.js';
import { dropDelivered } from './drop-delivered.process.js';
import { readFacts, type CalledFor, type Facts } from './environment.process.js';
import { recordAttempt } from './record-attempt.process.js';
import { sendToScript, type SendingParts } from './send.process.js';

export interface CallScriptParts extends SendingParts {
  context: ServiceContext;
  addresses: Addresses;
}

/** A call of a script that somebody waits for. */
export interface CalledNow extends CalledFor {
  /** That has it installed, or publishes it where it is called as such. */
  organization: string;
  type: CallType;
  /** What the event has besides its id and type, and the ids of installation, space and site. */
  event: object;
  /** Reads the body of a request that the script answers, once the call may begin. */
  fetchBody?: (() => Promise<Uint8Array | undefined>) | undefined;
  /** At most 30,000. */
  deadlineMs: number;
  /** Whether it may be made again when its process was ended because of another call. */
  repeat: 'alone' | 'never';
  /** Whether an answer with a status is a failure; by default those from 400 on. */
  fails?: ((status: number) => boolean) | undefined;
  /** Why an answer that is no failure by its status cannot be used. */
  refuses?: ((answer: ScriptAnswer) => AppError | undefined) | undefined;
  /** Whether one that has not failed is recorded, too. */
  isRecorded?: boolean | undefined;
  /** Whether what the script did is recorded, too; it is unless told otherwise. */
  isTraced?: boolean | undefined;
  /** The user for whom it is made: what is known of a failure goes with them. */
  user?: string | undefined;
}

interface Called {
  event: string;
  facts: Facts;
  store: StoreScope;
}

const mostAtOnce = 64;
const mostOfOne = 32;

/** Calls scripts for those who wait for the answer. What is delivered is `Deliverer`'s. */
export class CallScript {
  readonly #parts: CallScriptParts;
  readonly #slots: CallSlots;

  constructor(parts: CallScriptParts) {
    this.#parts = parts;
    this.#slots = new CallSlots({ mostAtOnce, mostOfOne, now: () => parts.context.now() });
  }

  /**
   * Calls a script once. What has failed is recorded without body and caller.
   * @throws AppError `not_found` when there is no such integration or installation; `integration_failed`,
   * `integration_timeout`, `integration_resting`, `script_blocked`, `script_out_of_memory`, `runtime_unavailable`
   */
  async run(call: CalledNow): Promise<ScriptAnswer> {
    const event = randomUUID().replaceAll('-', '');
    const store = this.#scope(event);
    const leave = this.#slots.enter(call);
    try {
      const facts = await readFacts({ ...this.#parts, store }, call);
      if (facts === undefined) throw new AppError('not_found');
      return await this.#call(call, { event, facts, store });
    } finally {
      leave();
    }
  }

  async #call(call: CalledNow, { event, facts, store }: Called): Promise<ScriptAnswer> {
    const { organization, deadlineMs, repeat } = call;
    const installedIn = call.installation === null ? null : organization;
    const fetchBody = await call.fetchBody?.();
    const time = this.#parts.context.now();
    const sent = { store, id: event, event: eventOf(call, event), fetchBody, installedIn, deadlineMs, repeat };
    const result = await sendToScript(this.#parts, { facts, ...sent });
    const failed = failureIn(call, result);
    const hasFailed = 'refusal' in failed;
    // A developer sees everything that was sent to them.
    if (hasFailed || result.isDev === true || call.isRecorded === true)
      await this.#record(call, { event, organization, time, reason: hasFailed ? failed.reason : null }, result);
    if (hasFailed) throw failed.refusal;
    return result.isDev === true ? notKept(failed) : failed;
  }

  /** Otherwise nobody would find a failure. That it cannot be recorded does not change what the caller gets. */
  async #record(
    { integration, installation, type, target, user, isTraced = true }: CalledNow,
    { event, organization, time, reason }: { event: string; organization: string; time: number; reason: string | null },
    result: CallResult,
  ): Promise<void> {
    const { context } = this.#parts;
    // What ends well leaves what has failed its records.
    if (!this.#slots.mayRecord(reason === null ? `${integration} succeeded` : integration)) return;
    try {
      const of = { event, integration, organization, type, target };
      await insertCall(context, { ...of, installation, reason }, time);
      const traced = isTraced ? result : { ...result, trace: () => Promise.resolve(undefined) };
      await recordAttempt(context, { event, integration, installation: installation ?? '', time, user }, traced);
      await this.#forgetRemoved({ integration, installation }, event);
    } catch (err) {
      context.logger.warn({ err, event }, 'a call that has failed was not recorded');
    }
  }

  /** What was removed while the script was called leaves no record. */
  async #forgetRemoved(
    { integration, installation }: Pick<CalledFor, 'integration' | 'installation'>,
    event: string,
  ): Promise<void> {
    const { context } = this.#parts;
    const store = this.#scope(event);
    const found =
      installation === null
        ? [store.read(integrations).byId(integration), store.read(lastIntegrations).byId(integration)]
        : [store.read(installations).byId(installation), store.read(lastInstallations).byId(installation)];
    const isLeft = (await Promise.all(found)).some((doc) => doc !== null);
    if (!isLeft) await dropDelivered(context, installation === null ? { integration } : { installation });
  }

  #scope(event: string): StoreScope {
    const operation = 'call_script';
    const actor = { kind: 'system', id: operation };
    return this.#parts.context.store.scope({ actor, organization: null, operation, correlation: event, idem: event });
  }
}

function eventOf({ type, installation, target, event }: CalledNow, eventId: string): object {
  return {
    eventId,
    type,
    ...(installation === null ? {} : { installationId: installation }),
    ...(target === null ? {} : { [`${target.kind}Id`]: target.id }),
    ...event,
  };
}

/** What a developer answers counts this once: the published version answers again when the development mode ends. */
function notKept({ headers, ...answer }: ScriptAnswer): ScriptAnswer {
  const others = headers.filter(([name]) => name.toLowerCase() !== 'cache-control');
  return { ...answer, headers: [...others, ['cache-control', 'no-store']] };
}

/** The answer of a script; or why it is none, for the caller and for the owner of the integration. */
function failureIn(
  { fails = isRefusal, refuses }: CalledNow,
  result: CallResult,
): ScriptAnswer | { refusal: AppError; reason: string } {
  if (!('answer' in result)) {
    const refusal = refusalOfCall(result.failure);
    return { refusal, reason: refusal.reason };
  }
  const { answer } = result;
  if (fails(answer.status)) return { refusal: new AppError('integration_failed'), reason: `status_${answer.status}` };
  const refusal = refuses?.(answer);
  return refusal === undefined ? answer : { refusal, reason: 'malformed' };
}

function isRefusal(status: number): boolean {
  return status >= 400;
}
