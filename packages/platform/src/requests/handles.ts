import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type {
  InputOf,
  InternalOperation,
  Operation,
  Principal,
  ResourceAccess,
  ResultOf,
} from '@scriptorium/contracts';
import type * as z from 'zod';
import type { Redirect } from './redirect.js';
import type { CachedResponse } from './cached-response.js';
import type { Scope } from '../scope/scope.js';
import type { WithSession } from './with-session.js';

/** What the handler of an exchange between processes, or of an anonymous operation, works with besides the input. */
export interface InternalCall extends Scope {
  operation: string;
  requestId: string;
  /** Moment at which the gateway stops waiting, in milliseconds of this process's clock. */
  deadline: number;
  idempotencyKey: string | undefined;
  /** Trace context of this call (W3C). */
  traceparent: string | undefined;
  /** The verified caller on whose behalf an exchange between processes is made; null without one. */
  caller: Principal | null;
  /** Of an anonymous operation, what the gateway tells of the client. */
  client: Client;
  /** The id of something this call creates; the same again when the client repeats the call with its idempotency key. */
  readonly idFor: (what: string) => string;
}

export interface Client {
  address: string | undefined;
  agent: string | undefined;
  /** `id.hash` of the session in its cookie. */
  session: string | undefined;
  /** Hash of the cookie by which a browser is known again; of operations for browsers. */
  browser: string | undefined;
}

/** What a response depends on, besides the operation and what is read while it is made. */
export interface ResponseKey {
  /** Everything of the request that the response depends on. */
  of: unknown;
  /** Whether it is the same for all callers who may see it; otherwise it is kept for this caller alone, with these rights. */
  forAll?: true;
}

/** What the handler of an operation works with besides its input. */
export interface Call extends InternalCall {
  /** The caller: nobody gets as far as a handler without being one. */
  principal: Principal;
  /** What the access check has found out about the caller and the resource. */
  access: ResourceAccess;
  /**
   * A response made from read models alone, or an earlier one while nothing has changed that it was made from. `make` reads
   * through the scope that it is given: that is how it is known what the response was made from.
   */
  cached<T>(key: ResponseKey, make: (scope: Scope) => Promise<T>): Promise<CachedResponse<T>>;
}

export type AnyOperation = Operation | InternalOperation;

type Input<O extends AnyOperation> =
  O extends InternalOperation<infer I> ? z.output<I> : O extends Operation ? InputOf<O> : never;
type Result<O extends AnyOperation> = O extends InternalOperation
  ? z.input<O['response']>
  : O extends Operation
    ? ResultOf<O>
    : never;

type CallOf<O extends AnyOperation> = O extends InternalOperation | { anonymous: true } ? InternalCall : Call;

/** An operation without a body of its own may send a browser on. */
type Answer<O extends AnyOperation> = Result<O> | (O extends { response: undefined } ? Redirect : never);

type Handler<O extends AnyOperation> = (
  input: Input<O>,
  call: CallOf<O>,
) => Promise<Answer<O> | CachedResponse<Result<O>> | WithSession<Answer<O>>>;

/**
 * Makes a controller's method the handler of an operation. The method gets the parsed input and the call, and only
 * after the access rule of the operation let the caller in.
 */
export function Handles<O extends AnyOperation>(op: O) {
  const pattern = MessagePattern(op.id, { operation: op });
  return <M extends Handler<O>>(target: object, name: string, descriptor: TypedPropertyDescriptor<M>): void => {
    Payload()(target, name, 0);
    Ctx()(target, name, 1);
    pattern(target, name, descriptor);
  };
}
