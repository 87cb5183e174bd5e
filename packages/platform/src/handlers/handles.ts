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
import type { Redirect, CachedResponse, Reply, WithSession } from './answers.js';
import type { Scope } from '../scope/scope.js';

/** What a response depends on, besides the operation and the read models that it is made from. */
export interface ResponseKey {
  /** Everything of the request that the response depends on. */
  of: unknown;
  /**
   * Whether it is the same for all callers who may see it. Otherwise it is cached for this caller with the present
   * rights.
   */
  forAll?: true;
}

/** What is known of the client of an anonymous operation, from the gateway. */
export interface Client {
  address: string | undefined;
  agent: string | undefined;
  /** `id.hash` of the session in the cookie. */
  session: string | undefined;
  /** Hash of the cookie that identifies the browser, for operations that browsers use. */
  browser: string | undefined;
}

/**
 * All that a handler works with besides its input: the scope of the request, and what the request says. `P`: handlers
 * of operations that need a token are never called without a principal. Those of internal and anonymous operations take
 * a `Call<Principal | null>`: the request may come without one, and access is not checked.
 */
export interface Call<P extends Principal | null = Principal> extends Scope {
  /** The id of the operation that this handler answers. */
  readonly operation: string;
  /** The verified caller, also when another service sends the request on their behalf. */
  readonly principal: P;
  /** The result of the access check. Where access is not checked, it is that of somebody who may see nothing. */
  readonly access: ResourceAccess;
  /** When the gateway stops waiting, in ms of this process's clock. */
  readonly deadline: number;
  /** Seconds that the answer may wait for work in the background. */
  readonly waitSeconds: number;
  /** For anonymous operations, facts about the client from the gateway. */
  readonly client: Client;
  /**
   * The id of something that this call creates. It is the same when the client repeats the call with its idempotency
   * key.
   */
  readonly idFor: (what: string) => string;
  /**
   * A response that is made only from read models, or a cached one if none of them has changed. `make` must read
   * through the given scope, which records what the response depends on. It may give the response its entity tag.
   */
  readonly cached: <T>(
    key: ResponseKey,
    make: (scope: Scope) => Promise<T | CachedResponse<T>>,
  ) => Promise<CachedResponse<T>>;
}

/**
 * Whether only the entity tag of the answer is wanted, for the precondition of a change, so that the handler can spare
 * itself the answer.
 */
export function isForTag({ operation, store }: Pick<Call, 'operation' | 'store'>): boolean {
  return operation !== store.context.operation;
}

export type AnyOperation = Operation | InternalOperation;

type Input<O extends AnyOperation> =
  O extends InternalOperation<infer I> ? z.output<I> : O extends Operation ? InputOf<O> : never;
type Result<O extends AnyOperation> = O extends InternalOperation
  ? z.input<O['response']>
  : O extends Operation
    ? ResultOf<O>
    : never;

type CallOf<O extends AnyOperation> = Call<
  O extends InternalOperation | { anonymous: true } ? Principal | null : Principal
>;

/** An operation without a body may redirect a browser. */
type Answer<O extends AnyOperation> = Result<O> | (O extends { response: undefined } ? Redirect : never);

type Handler<O extends AnyOperation> = (
  input: Input<O>,
  call: CallOf<O>,
) => Promise<Answer<O> | CachedResponse<Result<O>> | Reply<Result<O> | undefined> | WithSession<Answer<O>>>;

/**
 * Makes a method of a controller the handler of an operation. It gets the parsed input and the call, after the access
 * check.
 */
export function Handles<O extends AnyOperation>(op: O) {
  const pattern = MessagePattern(op.id, { operation: op });
  return <M extends Handler<O>>(target: object, name: string, descriptor: TypedPropertyDescriptor<M>): void => {
    Payload()(target, name, 0);
    Ctx()(target, name, 1);
    pattern(target, name, descriptor);
  };
}
