import { AppError } from '@scriptorium/contracts';
import type { Check, ChildPool, ServiceContext } from '@scriptorium/platform';
import { probeLayout } from './layout/lay-out.process.js';

const message = 'PDF is not available on this machine';

/** Whether the layout runs on this machine: its library is native. It is found out once, by a process that loads it. */
export class PdfAvailability {
  readonly #context: Pick<ServiceContext, 'logger'>;
  readonly #pool: ChildPool;
  #probed: Promise<boolean> | undefined;
  #isMissing = false;

  constructor(context: Pick<ServiceContext, 'logger'>, pool: ChildPool) {
    this.#context = context;
    this.#pool = pool;
  }

  /** @throws AppError `unavailable` where the layout does not run at all */
  async require(): Promise<void> {
    if (!(await this.#find())) throw new AppError('unavailable', [], { message, retryAfter: 3_600 });
  }

  /** Names a layout that does not run. All else of the service works without it. */
  check(): Check {
    // It is told by the next one who asks: what is ready answers at once.
    void this.#find().catch((err: unknown) => this.#context.logger.warn({ err }, 'the layout of PDFs was not probed'));
    return { name: 'pdf', ok: !this.#isMissing, ...(this.#isMissing ? { degraded: true, detail: message } : {}) };
  }

  /** Whether it runs; true while that could not be found out. */
  async #find(): Promise<boolean> {
    this.#probed ??= this.probe();
    try {
      const runs = await this.#probed;
      if (!runs && !this.#isMissing)
        this.#context.logger.error({}, 'PDFs are not available: the layout does not run on this machine');
      this.#isMissing = !runs;
      return runs;
    } catch (error) {
      // It was not found out: the next one asks again.
      this.#probed = undefined;
      if (error instanceof AppError) return true;
      throw error;
    }
  }

  /** Loads the library in a process of its own. */
  probe(): Promise<boolean> {
    return probeLayout(this.#pool);
  }
}
