import type { ServiceContext } from '@scriptorium/platform';

/** How long an upload can be used, ms. */
export const uploadLastsMs = 24 * 3_600_000;

/** The command of the timer that removes uploads that have ended. */
export const sweepUploadsCommand = 'sweep_uploads';

const everyMs = 3_600_000;

/** Schedules removals: the next one whenever bytes are put aside, and after each until the last of them has ended. */
export class UploadSweeper {
  #scheduledFor = 0;

  constructor(private readonly context: ServiceContext) {}

  async schedule(correlation: string): Promise<void> {
    const next = Math.ceil((this.context.now() + 1) / everyMs) * everyMs;
    if (this.#scheduledFor === next) return;
    // Each hour has a timer of its own: the last one is due when everything of its hour has ended.
    for (const at of [next, next + uploadLastsMs]) await this.#at(at, correlation);
    this.#scheduledFor = next;
  }

  async again(correlation: string): Promise<void> {
    await this.#at(this.context.now(), correlation);
  }

  async #at(at: number, correlation: string): Promise<void> {
    const id = `${sweepUploadsCommand}:${at}`;
    const timer = { id, at, command: sweepUploadsCommand, data: null, organization: null, correlation };
    await this.context.store.timers.schedule(timer);
  }
}
