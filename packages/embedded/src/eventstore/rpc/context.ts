import { StoreOverloaded } from '../storage/committer.js';
import { StoreDamaged } from '../storage/damage.js';
import { type EventStore } from '../storage/store.js';
import { RpcError, Status } from '../wire/status.js';

/** Sizes are bytes of data and metadata, and twice the characters of the type. */
export interface AppendLimits {
  /** of all events of one append together */
  readonly maxAppendSize: number;
  /** of each event */
  readonly maxAppendEventSize: number;
}

/** What the handlers of one server share. */
export interface RpcContext {
  readonly store: EventStore;
  readonly limits: AppendLimits;
  readonly logger: (line: string) => void;
}

/** The failure to send for something that went wrong inside; the details go to the log. */
export function toRpcError(context: RpcContext, error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof StoreDamaged) {
    context.logger(error.message);
    return new RpcError(Status.dataLoss, error.message);
  }
  if (error instanceof StoreOverloaded) return new RpcError(Status.unavailable, error.message);
  const message = error instanceof Error ? error.message : String(error);
  context.logger(`a call failed: ${message}`);
  return new RpcError(Status.unavailable, `The store cannot serve this now: ${message}`);
}
