// The types of the tarball that `npm run pack` makes. It writes `api.d.ts` beside this file, from the OpenAPI document
// of the product, and adds a type for each of the document's schemas, such as `Space`.
import type { ZodObject, ZodType } from 'zod';
import type { components, operations as documented } from './api.js';

export type * from './schemas.js';

/** The resources and parts of requests by the names that the OpenAPI document has for them. */
export type Schemas = components['schemas'];

/** The ids of all operations, which are the names of the client's methods. */
export type OperationId = keyof documented;

export interface ClientOptions {
  /** Address of the installation without `/v1`. */
  endpoint: string;
  token?: string;
  /** Another `fetch`, such as `patientFetch()`. */
  fetch?: typeof fetch;
  /** Milliseconds after which a call is aborted; 30,000 unless set. */
  timeoutMs?: number;
  /**
   * Whether the installation refuses what it does not know (`strict`, unless set) or says in a header that it ignores
   * it. Clients that may be newer than the installation, and can do without what it does not know, are lenient.
   */
  handling?: 'strict' | 'lenient';
}

/** Headers of a call besides its input. */
export interface CallConditions {
  /** Makes the call safe to repeat for 24 hours. */
  idempotencyKey?: string;
  /** The change is made only if the resource still has this entity tag. */
  ifMatch?: string;
  /** A position that the answer must not be older than. */
  after?: string;
  /** A time or a position, for resources that can be shown as they were. */
  asOf?: string;
  /** Seconds that the answer may wait for what the call has begun. */
  waitSeconds?: number;
}

type Part<Name extends string, T> = [T] extends [never]
  ? unknown
  : Record<never, never> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };
type ParametersOf<K extends OperationId> = documented[K]['parameters'];
type PathOf<K extends OperationId> = ParametersOf<K> extends { path: infer P } ? P : never;
type QueryOf<K extends OperationId> = ParametersOf<K> extends { query?: infer Q } ? NonNullable<Q> : never;
type ContentOf<T> = T extends { content: infer C }
  ? C extends { 'application/json': infer Json }
    ? Json
    : C[keyof C]
  : never;
type BodyOf<K extends OperationId> = documented[K] extends { requestBody: infer B }
  ? { body: ContentOf<B> }
  : documented[K] extends { requestBody?: infer B }
    ? [ContentOf<NonNullable<B>>] extends [never]
      ? unknown
      : { body?: ContentOf<NonNullable<B>> }
    : unknown;

/** The input of a call: parameters, query and body, if the operation has them. */
export type CallOf<K extends OperationId> = Part<'params', PathOf<K>> &
  Part<'query', QueryOf<K>> &
  BodyOf<K> &
  CallConditions;

type Succeeded<R> = { [S in Extract<keyof R, 200 | 201 | 202 | 203>]: ContentOf<R[S]> }[Extract<
  keyof R,
  200 | 201 | 202 | 203
>];

/** What a call answers: the resource; for a deletion whether there was something to delete; otherwise nothing. */
export type AnswerOf<K extends OperationId> = documented[K]['responses'] extends infer R
  ? 205 extends keyof R
    ? boolean
    : [Succeeded<R>] extends [never]
      ? undefined
      : Succeeded<R>
  : never;

type Method<K extends OperationId> =
  Record<never, never> extends CallOf<K>
    ? (call?: CallOf<K>) => Promise<AnswerOf<K>>
    : (call: CallOf<K>) => Promise<AnswerOf<K>>;

/** One method for each operation, named by its id. */
export type Client = { [K in OperationId]: Method<K> };

/** A typed client of the whole API. Errors are thrown as `AppError` with the reason of the installation. */
export declare function createClient(options: ClientOptions): Client;

/** One operation of `/v1` as plain data, with the schemas that the installation checks requests by. */
export interface Operation<K extends OperationId = OperationId> {
  readonly id: K;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `/v1`, with the names of parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly params: ZodObject;
  readonly query: ZodObject;
  readonly body: ZodType | undefined;
  readonly response: ZodType | undefined;
}

/** The operations of the API by id. */
export declare const operations: { readonly [K in OperationId]: Operation<K> };

/**
 * The items of a list that can be followed: first the existing ones, then each new one. A broken connection is restored
 * and continues after the last item. Ends when `signal` aborts or the list ends.
 */
export declare function followOperation<K extends OperationId>(
  options: ClientOptions,
  operation: Operation<K>,
  call: CallOf<NoInfer<K>>,
  signal: AbortSignal,
): AsyncGenerator<AnswerOf<K> extends { items: (infer Item)[] } ? Item : never, void>;

/** Why the API refuses, in one word; each has a page at `/errors/{reason}` of an installation. */
export type Reason = Schemas['Error']['error']['reason'];

/** A refused field. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** Why a call was refused, or could not be made. */
export declare class AppError extends Error {
  readonly reason: Reason;
  readonly details: readonly ErrorDetail[];
  /** Seconds after which the call may be made again. */
  readonly retryAfter: number | undefined;
}

/** Every reason for which the API refuses, with its HTTP status. */
export declare const reasonStatus: Readonly<Record<Reason, number>>;
export declare function isReason(word: unknown): word is Reason;

/** The limits of an installation by name, as they are unless it is configured otherwise. */
export declare const limitPresets: Readonly<Record<string, number>>;

/** Milliseconds that a patient client waits for an installation that is busy or starts again. */
export declare const patienceMs: number;
/**
 * A `fetch` that sends a request again while the installation is busy or starts again, as late as `Retry-After` says,
 * for at most two minutes. Changes get an idempotency key, so that sending them again changes nothing more.
 */
export declare function patientFetch(): typeof fetch;
