import type { Call, ServiceContext } from '@scriptorium/platform';
import { setTimeout as pause } from 'node:timers/promises';
import { specDocuments } from './spec.projection.js';
import { specVersions } from './spec-version.projection.js';

const lookEveryMs = 100;
/** Answers that wait at once in one process. */
const mostWaiting = 200;
/** What is left of the time of a request for its answer, ms. */
const reserveMs = 2_000;

/** Has answers wait until specifications are read. */
export class SpecWaits {
  #waiting = 0;

  constructor(private readonly context: Pick<ServiceContext, 'stopping'>) {}

  /**
   * @returns whether it has waited, as the request preferred: until nothing is left to be read, or long enough; not
   * when the service stops meanwhile
   */
  async wait(call: Call, id: string): Promise<boolean> {
    const { waitSeconds, store, deadline } = call;
    const { stopping } = this.context;
    if (waitSeconds === 0 || store.dry || this.#waiting >= mostWaiting) return false;
    const end = Math.min(call.now() + waitSeconds * 1_000, deadline - reserveMs);
    this.#waiting += 1;
    try {
      while (call.now() < end) {
        if (stopping.aborted) return false;
        const spec = await store.read(specDocuments).byId(id);
        if (spec === null) break;
        // What is asked next may be the version, whose read model follows the log by itself.
        const { processingState, lastVersion } = spec;
        const isThere = lastVersion === undefined || (await store.read(specVersions).byId(lastVersion)) !== null;
        if (processingState === 'complete' && isThere) break;
        await pause(Math.min(lookEveryMs, Math.max(1, end - call.now())));
      }
      return true;
    } finally {
      this.#waiting -= 1;
    }
  }
}
