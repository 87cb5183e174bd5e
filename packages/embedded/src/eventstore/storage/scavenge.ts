import { setImmediate as turn } from 'node:timers/promises';
import { CompactedFile } from './compacted-file.js';
import { type EventLog } from './log.js';
import { FLAG_STUB, FLAG_TOMBSTONE, type RecordView } from './record.js';
import { type Segment } from './segment.js';
import { SEGMENT_HEAD } from './segment-header.js';
import { firstVisible, isMetastream, type StreamHead } from './stream-head.js';
import { walkSegment } from './tail.js';

export interface ScavengeResult {
  /** events removed from the files */
  readonly events: number;
  readonly bytesFreed: number;
  /** files written anew */
  readonly files: number;
}

export interface ScavengeStore {
  readonly log: EventLog;
  find(stream: string): StreamHead | undefined;
  now(): number;
  /** Stops commits until the function it gives is called. */
  hold(): Promise<() => void>;
  /** Whether the store is about to close: what is not finished is left as it was. */
  isClosing(): boolean;
}

/** A scavenge was given up because the store closes. */
export class ScavengeStopped extends Error {
  constructor() {
    super('the scavenge was given up: the server is stopping');
    this.name = 'ScavengeStopped';
  }
}

type Fate = 'keep' | 'stub' | 'drop';

/**
 * Removes from the files what nobody can read any more: events of deleted and tombstoned streams, those
 * hidden by `$tb`, `$maxCount`, `$maxAge`, and outdated metadata. Positions and revisions of the others stay.
 */
export class Scavenge {
  private events = 0;
  private bytesFreed = 0;
  private files = 0;

  constructor(private readonly store: ScavengeStore) {}

  async run(): Promise<ScavengeResult> {
    const { log } = this.store;
    if (await this.hasGarbage(log.active))
      await this.held(() => {
        log.roll();
      });
    let merging: Segment[] = [];
    for (const segment of log.segments.slice(0, -1)) {
      const small = segment.fileSize < log.segmentBytes / 4;
      const room = merging.reduce((sum, { fileSize }) => sum + fileSize, segment.fileSize) <= log.segmentBytes;
      if (merging.length > 0 && !(small && room)) {
        await this.rewrite(merging);
        merging = [];
      }
      if (small) merging.push(segment);
      else if (await this.hasGarbage(segment)) await this.rewrite([segment]);
    }
    await this.rewrite(merging);
    return { events: this.events, bytesFreed: this.bytesFreed, files: this.files };
  }

  /** Several small neighbours become one file; a single one is written anew only if something in it goes. */
  private async rewrite(segments: readonly Segment[]): Promise<void> {
    const [first] = segments;
    const last = segments[segments.length - 1];
    if (first === undefined || last === undefined) return;
    if (segments.length === 1 && !(await this.hasGarbage(first))) return;
    const { log } = this.store;
    const file = new CompactedFile(log.dir, {
      base: first.base,
      logId: log.logId,
      compactedEnd: last.sealedEnd,
      compactedBytes: 0,
    });
    try {
      for (const segment of segments)
        await this.visit(segment, (record) => {
          this.copy(file, record);
        });
      await file.settle();
    } catch (error) {
      file.abandon();
      throw error;
    }
    const before = segments.reduce((sum, { fileSize }) => sum + fileSize, 0);
    await this.held(() => {
      log.replace(segments, file.finish());
    });
    this.bytesFreed += before - file.size;
    this.files += 1;
  }

  private copy(file: CompactedFile, record: RecordView): void {
    const fate = this.fateOf(record);
    if (fate === 'keep') file.keep(record);
    else if (fate === 'stub') file.keepStub(record);
    if (fate !== 'keep' && (record.flags & FLAG_STUB) === 0) this.events += 1;
  }

  private async hasGarbage(segment: Segment): Promise<boolean> {
    let found = false;
    await this.visit(
      segment,
      (record) => {
        found ||= this.fateOf(record) !== 'keep';
      },
      () => found,
    );
    return found;
  }

  /**
   * Visits the records with commits held back for a chunk at a time, so that what is decided rests on durable state.
   */
  private async visit(
    segment: Segment,
    record: (record: RecordView) => void,
    enough: () => boolean = () => false,
  ): Promise<void> {
    let release = await this.store.hold();
    const end = segment.usedUntil(this.store.log.end);
    const stop = new Error('enough');
    try {
      const pause = async (): Promise<void> => {
        release();
        await turn();
        release = await this.store.hold();
        if (this.store.isClosing()) throw new ScavengeStopped();
        if (enough()) throw stop;
      };
      const { whole, stopped } = await walkSegment(segment, SEGMENT_HEAD, { record, pause });
      if (whole < end) throw segment.damaged(stopped);
    } catch (error) {
      if (error !== stop) throw error;
    } finally {
      release();
    }
  }

  private async held(action: () => void): Promise<void> {
    const release = await this.store.hold();
    try {
      action();
    } finally {
      release();
    }
  }

  private fateOf(record: RecordView): Fate {
    if ((record.flags & FLAG_TOMBSTONE) !== 0) return 'keep';
    const name = record.stream;
    const head = this.store.find(name);
    if (head === undefined) return 'keep';
    if (head.tombstoned || (isMetastream(name) && this.store.find(name.slice(2))?.tombstoned === true)) return 'drop';
    const isLast = record.revision === head.last;
    if ((record.flags & FLAG_STUB) !== 0) return isLast ? 'keep' : 'drop';
    const tooOld = head.maxAge > 0 && record.created < this.store.now() - head.maxAge;
    if (record.revision >= firstVisible(head) && !tooOld) return 'keep';
    // The revision of the last event must outlive it: the stream may go on behind it.
    return isLast ? 'stub' : 'drop';
  }
}
