import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { AnyOperation, Call, InternalCall } from './handles.js';

/** A handler that Nest found, with the operation it was declared for. */
export interface Endpoint {
  operation: AnyOperation;
  /** Called with the principal for an operation, and without one for an internal operation. */
  invoke(input: unknown, call: Call | InternalCall): Promise<unknown>;
}

export interface Serving {
  /** Accepts no more requests, and resolves when running ones are answered. */
  drain(): Promise<void>;
}

/**
 * Connects Nest's handler registry to the product's own messaging. Nest's NATS transport parses every message
 * and cannot drain, so requests come in through `open` instead.
 */
export class ServiceTransport extends Server implements CustomTransportStrategy {
  readonly #open: (endpoints: ReadonlyMap<string, Endpoint>) => Promise<Serving>;
  #serving: Serving | undefined;

  constructor(open: (endpoints: ReadonlyMap<string, Endpoint>) => Promise<Serving>) {
    super();
    this.#open = open;
  }

  listen(callback: (error?: unknown) => void): void {
    this.#open(this.#endpoints()).then((serving) => {
      this.#serving = serving;
      callback();
    }, callback);
  }

  async close(): Promise<void> {
    await this.#serving?.drain();
  }

  on(): void {
    // The transport emits no events; the state of the connection is a readiness check.
  }

  unwrap<T>(): T {
    return this.#serving as T;
  }

  #endpoints(): Map<string, Endpoint> {
    const endpoints = new Map<string, Endpoint>();
    for (const handler of this.messageHandlers.values()) {
      const { operation } = (handler.extras ?? {}) as { operation?: AnyOperation };
      if (operation === undefined) continue;
      endpoints.set(operation.id, {
        operation,
        invoke: async (input, call) => {
          const outcome: unknown = await handler(input, call);
          return isObservable(outcome) ? lastValueFrom(outcome, { defaultValue: undefined }) : outcome;
        },
      });
    }
    return endpoints;
  }
}
