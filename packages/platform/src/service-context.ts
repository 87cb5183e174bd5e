import { createHash } from 'node:crypto';
import type { Limits } from '@scriptorium/contracts';
import { createRemembered, isDry, systemClock, type AnyProjection, type CommandContext, type Store } from '@scriptorium/event-sourcing';
import type { Messaging } from '@scriptorium/messaging';
import { createAnswers, type Answers } from './answers.js';
import type { Cursors } from './cursors.js';
import type { Call } from './handles.js';
import { derivedId, newId } from './ids.js';
import type { Keyring } from './keyring.js';
import type { Logger } from './logging.js';
import type { Registry } from './metrics.js';
import { Rendered } from './rendered.js';
import { createRoom, type Room } from './room.js';

const renderedBounds = { max: 10_000, size: { of: ({ json }: Rendered<unknown>) => json.length, max: 32 * 1024 * 1024 } };

export interface ServiceParts {
  messaging: Messaging;
  cursors: Cursors;
  keys: Keyring;
  logger: Logger;
  registry: Registry;
  /** Milliseconds since the epoch. */
  now: () => number;
  urls: { api: string; app: string };
  limits: Limits;
  mail: MailSettings;
  saml: SAMLSettings;
}

/** What identity providers have to do. */
export interface SAMLSettings {
  /** What of an answer has to be signed. */
  signed: 'both' | 'assertion' | 'response';
}

/** How mail leaves the installation. */
export interface MailSettings {
  /** Mail server with its credentials; without one, mail is written into `outbox`. */
  smtpUrl: string | undefined;
  from: string;
  outbox: string;
}

/** What controllers of a service work with; Nest hands it to their constructors. */
export class ServiceContext {
  #store: Store | undefined;
  #answers: Answers | undefined;
  readonly #rendered = createRemembered<Rendered<unknown>>(renderedBounds, systemClock);
  readonly messaging: Messaging;
  readonly cursors: Cursors;
  readonly keys: Keyring;
  readonly logger: Logger;
  readonly registry: Registry;
  readonly now: () => number;
  readonly urls: { api: string; app: string };
  readonly limits: Limits;
  readonly mail: MailSettings;
  readonly saml: SAMLSettings;
  readonly room: Room;

  constructor(parts: ServiceParts) {
    this.messaging = parts.messaging;
    this.cursors = parts.cursors;
    this.keys = parts.keys;
    this.logger = parts.logger;
    this.registry = parts.registry;
    this.now = parts.now;
    this.urls = parts.urls;
    this.limits = parts.limits;
    this.mail = parts.mail;
    this.saml = parts.saml;
    this.room = createRoom(parts.limits);
  }

  get store(): Store {
    if (this.#store === undefined) throw new Error('The store is used before the service started');
    return this.#store;
  }

  /** The first answers to requests with an idempotency key. */
  get answers(): Answers {
    return (this.#answers ??= createAnswers(this.store.database));
  }

  /** Gives the context its store, which is made of reactors that need the context. Once. */
  attach(store: Store): void {
    this.#store = store;
  }

  /**
   * An answer made from these projections and from nothing else; an earlier one for the same key while none of their
   * documents has changed. The key holds all that the answer depends on, also of the caller.
   */
  rendered<T>(key: readonly unknown[], from: readonly AnyProjection[], make: () => Promise<T>): Promise<Rendered<T>> {
    if (isDry()) return make().then((answer) => Rendered.of(answer));
    const version = () => this.store.version(from);
    return this.#rendered.get(JSON.stringify(key), version, async () => Rendered.of(await make())) as Promise<Rendered<T>>;
  }

  /** What `handle` records of a call. `organization` is the one that the change belongs to, or null. */
  command(call: Call, organization: string | null): CommandContext {
    const { principal, operation, requestId, deadline, traceparent } = call;
    const key = idempotency(call);
    return {
      actor: { kind: principal.kind, id: principal.id },
      organization,
      operation,
      correlation: requestId,
      deadline,
      ...(key === undefined ? {} : { idem: key }),
      ...(traceparent === undefined ? {} : { trace: traceparent }),
    };
  }

  /** The id of something this call creates; the same again when the client repeats the call with its idempotency key. */
  idFor(call: Call, what: string): string {
    const key = idempotency(call);
    return key === undefined ? newId() : derivedId(key, what);
  }
}

/** The client's key bound to caller and operation, hashed: keys of different callers never meet. */
function idempotency({ idempotencyKey, principal, operation }: Call): string | undefined {
  if (idempotencyKey === undefined) return undefined;
  return createHash('sha256').update(JSON.stringify([principal.id, operation, idempotencyKey])).digest('base64url');
}

/**
 * The command of one step of an operation that changes a stream more than once: with an idempotency key of its own, so
 * that a repeated operation goes on where it stopped.
 */
export function step(command: CommandContext, name: string): CommandContext {
  return command.idem === undefined ? command : { ...command, idem: `${command.idem}:${name}` };
}
