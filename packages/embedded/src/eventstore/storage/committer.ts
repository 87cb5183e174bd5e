import { Batch, type Written } from './batch.js';
import { type EventLog } from './log.js';
import { plan, type Planned, type PlannerStore } from './planner.js';
import { requestBytes, type WriteRequest, type WriteResult } from './write-request.js';

const LINGER_MS = 1;
const BATCH_BYTES = 4 * 1024 * 1024;
const QUEUE_BYTES = 128 * 1024 * 1024;

interface Waiting {
  readonly request: WriteRequest;
  readonly bytes: number;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/** More is waiting to be written than memory allows. */
export class StoreOverloaded extends Error {
  constructor() {
    super('Server Is Too Busy');
    this.name = 'StoreOverloaded';
  }
}

export interface CommitterHooks extends PlannerStore {
  /** Events are durable: make them visible. */
  committed(written: readonly Written[]): void;
  /** A batch was not written. */
  discarded(ids: readonly Buffer[]): void;
  now(): number;
}

/**
 * Group commit: decides and writes what has gathered in one go, one batch at a time. While a batch is
 * on its way to disk nothing is decided, so every decision sees durable state plus its own batch.
 */
export class Committer {
  private queue: Waiting[] = [];
  private queuedBytes = 0;
  private lastBatch = 0;
  private running: Promise<void> | undefined;
  private wake: (() => void) | undefined;
  private readonly holders: ((release: () => void) => void)[] = [];

  constructor(
    private readonly log: Pick<EventLog, 'end' | 'reserve' | 'append'>,
    private readonly hooks: CommitterHooks,
  ) {}

  /**
   * Resolves when the outcome is decided and, if something was written, on disk. @throws StoreOverloaded, or what the
   * file system said
   */
  submit(request: WriteRequest): Promise<WriteResult> {
    const bytes = requestBytes(request);
    if (this.queuedBytes + bytes > QUEUE_BYTES) return Promise.reject(new StoreOverloaded());
    this.queuedBytes += bytes;
    return new Promise((resolve, reject) => {
      this.queue.push({ request, bytes, resolve, reject });
      if (this.queue.length >= this.lastBatch) this.wake?.();
      this.running ??= this.run();
    });
  }

  /**
   * Resolves between two batches; nothing is decided or written until the function it gives is called. Hold it for
   * milliseconds only.
   */
  hold(): Promise<() => void> {
    return new Promise((resolve) => {
      this.holders.push(resolve);
      this.wake?.();
      this.running ??= this.run();
    });
  }

  /** Resolves when nothing is queued or under way. */
  async idle(): Promise<void> {
    while (this.running !== undefined) await this.running;
  }

  private async run(): Promise<void> {
    await Promise.resolve();
    while (this.queue.length > 0 || this.holders.length > 0) {
      const holder = this.holders.shift();
      if (holder !== undefined)
        await new Promise<void>((release) => {
          holder(release);
        });
      if (this.queue.length === 0) continue;
      if (this.lastBatch > 1 && this.queue.length < this.lastBatch) await this.linger();
      await this.commit(this.takeBatch());
    }
    this.running = undefined;
  }

  /** Several writers are at work: those just answered are about to send again. */
  private linger(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, LINGER_MS);
      this.wake = done;
    });
  }

  private takeBatch(): Waiting[] {
    let bytes = 0;
    let count = 0;
    while (count < this.queue.length && bytes < BATCH_BYTES) {
      bytes += this.queue[count]?.bytes ?? 0;
      count += 1;
    }
    const taken = this.queue.splice(0, count);
    this.queuedBytes -= bytes;
    this.lastBatch = count;
    return taken;
  }

  private async commit(taken: readonly Waiting[]): Promise<void> {
    const batch = new Batch();
    let planned: Planned[];
    let written: Written[];
    try {
      const now = this.hooks.now();
      planned = taken.map(({ request }) => this.planOne(request, batch, now));
      written = batch.isEmpty ? [] : await this.write(batch, now);
    } catch (error) {
      this.hooks.discarded(batch.rollback());
      for (const { reject } of taken) reject(error);
      return;
    }
    if (written.length > 0) this.hooks.committed(written);
    taken.forEach((waiting, i) => {
      settle(waiting, planned[i] as Planned, written);
    });
  }

  private planOne(request: WriteRequest, batch: Batch, now: number): Planned {
    if (request.deadline !== undefined && request.deadline <= now) return { result: { kind: 'timeout' } };
    const before = batch.size;
    try {
      return plan(request, batch, this.hooks);
    } catch (error) {
      // A record that cannot be read fails its own request only, as long as nothing of it is in the batch.
      if (batch.size !== before) throw error;
      return { error };
    }
  }

  private async write(batch: Batch, now: number): Promise<Written[]> {
    this.log.reserve(batch.bytes);
    const { bytes, written } = batch.encode(this.log.end, now);
    await this.log.append(bytes);
    return written;
  }
}

function settle(waiting: Waiting, planned: Planned, written: readonly Written[]): void {
  if ('error' in planned) waiting.reject(planned.error);
  else if ('result' in planned) waiting.resolve(planned.result);
  else {
    const position = written[planned.end]?.position;
    waiting.resolve({ kind: 'ok', revision: planned.revision, ...(position === undefined ? {} : { position }) });
  }
}
