import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import { AppError, wireHeader, type Principal } from '@scriptorium/contracts';
import type { AnyOperation, Call } from './handles.js';
import type { WireReply, WireRequest } from './exchange.js';
import type { RequestMetrics } from '../observability/metrics.js';
import type { Tracing } from '../observability/tracing.js';

/** A handler that Nest found, with the operation it was declared for. */
export interface Endpoint {
  operation: AnyOperation;
  /** Called with a principal for every operation that needs a token. */
  invoke(input: unknown, call: Call<Principal | null>): Promise<unknown>;
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

type Handle = (request: WireRequest) => Promise<WireReply>;

/** The same handler with metrics and a span. Refusals are answers and no errors of the service. */
export function observed(handle: Handle, metrics: RequestMetrics, tracing: Tracing): Handle {
  const traced: Handle = (request) => {
    const parent = request.headers[wireHeader.traceparent];
    return tracing.span(request.operation, { kind: 'server', parent }, (traceparent) =>
      handle(traceparent === parent || traceparent === undefined ? request : withTrace(request, traceparent)),
    );
  };
  return async (request) => {
    const started = performance.now();
    const observe = (outcome: string): void => {
      metrics.observe({ operation: request.operation, outcome, milliseconds: performance.now() - started });
    };
    try {
      const reply = await traced(request);
      observe('ok');
      return reply;
    } catch (error) {
      observe(error instanceof AppError ? error.reason : 'unexpected');
      throw error;
    }
  };
}

function withTrace(request: WireRequest, traceparent: string): WireRequest {
  return { ...request, headers: { ...request.headers, [wireHeader.traceparent]: traceparent } };
}
