import type { TimerHandler } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import type { FileStore } from '../../versions/index.js';
import { dropUnused, keptMs } from './pdf-store.process.js';

export const sweepPdfsCommand = 'sweep_pdfs';

const everyMs = 3_600_000;

/** Schedules the removal of PDFs: for when what is made within an hour is no longer used. */
export class PdfSweeper {
  #scheduledFor = 0;

  constructor(private readonly context: ServiceContext) {}

  async schedule(correlation: string): Promise<void> {
    const at = fullHour(this.context.now() + keptMs + 1);
    if (this.#scheduledFor === at) return;
    await scheduleAt(this.context, at, correlation);
    this.#scheduledFor = at;
  }
}

/** The first full hour from a moment on, so that what is due within one hour is one timer. */
function fullHour(ms: number): number {
  return Math.ceil(ms / everyMs) * everyMs;
}

async function scheduleAt({ store }: ServiceContext, at: number, correlation: string): Promise<void> {
  const id = `${sweepPdfsCommand}:${at}`;
  await store.timers.schedule({ id, at, command: sweepPdfsCommand, data: null, organization: null, correlation });
}

export function sweepPdfs(context: ServiceContext, files: FileStore): TimerHandler {
  return async (_timer, store) => {
    const next = await dropUnused(context, files);
    if (next === undefined) return;
    // What was used since it was asked for is due later; of what is due already there was more than is removed at once.
    const at = next <= context.now() ? context.now() : fullHour(next);
    await scheduleAt(context, at, store.context.correlation);
  };
}
