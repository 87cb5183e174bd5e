import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { InputOf, InternalOperation, Operation, Principal, ResultOf } from '@scriptorium/contracts';
import type * as z from 'zod';
import type { Redirect } from './redirect.js';
import type { Rendered } from './rendered.js';
import type { WithSession } from './with-session.js';

/** Of an exchange between processes, what its handler may use besides the input. */
export interface InternalCall {
  operation: string;
  requestId: string;
  /** Moment at which the gateway stops waiting, in milliseconds of this process's clock. */
  deadline: number;
  idempotencyKey: string | undefined;
  /** Trace context of this call (W3C). */
  traceparent: string | undefined;
  /** Of an anonymous operation, what the gateway tells of the client. */
  client: Client;
}

export interface Client {
  address: string | undefined;
  agent: string | undefined;
  /** `id.hash` of the session in its cookie. */
  session: string | undefined;
  /** Hash of the cookie by which a browser is known again; of operations for browsers. */
  browser: string | undefined;
}

/** Of a call, what a handler may use besides its input. */
export interface Call extends InternalCall {
  /** The caller: nobody gets as far as a handler without being one. */
  principal: Principal;
}

export type AnyOperation = Operation | InternalOperation;

type Input<O extends AnyOperation> = O extends InternalOperation<infer I> ? z.output<I> : O extends Operation ? InputOf<O> : never;
type Result<O extends AnyOperation> = O extends InternalOperation
  ? z.input<O['response']>
  : O extends Operation
    ? ResultOf<O>
    : never;

type CallOf<O extends AnyOperation> = O extends InternalOperation | { anonymous: true } ? InternalCall : Call;

/** An operation without a body of its own may send a browser on. */
type Answer<O extends AnyOperation> = Result<O> | (O extends { response: undefined } ? Redirect : never);

type Handler<O extends AnyOperation> = (input: Input<O>, call: CallOf<O>) => Promise<Answer<O> | Rendered<Result<O>> | WithSession<Answer<O>>>;

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
