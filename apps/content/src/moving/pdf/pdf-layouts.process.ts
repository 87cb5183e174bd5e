import { AppError } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { childMetrics, createChildPool, type Check, type ChildPool, type ServiceContext } from '@scriptorium/platform';
import { LRUCache } from 'lru-cache';
import { setTimeout as pause } from 'node:timers/promises';
import type { FileStore } from '../../versions/index.js';
import { readFonts, type FontFiles } from './layout/font-files.process.js';
import { finishPdf, preparePages, type Layouts } from './make-pdf.process.js';
import { openWish, type PdfSources } from './open-wish.process.js';
import { PdfAvailability } from './pdf-availability.process.js';
import { requestLayout } from './pdf-layout.run.js';
import { PdfSweeper } from './pdf-sweeper.process.js';
import type { PdfSettings } from './pdf.settings.js';
import { keepPdf } from './pdf-store.process.js';
import { findPdf, noteFailure, type MadePdf, type PdfFailure } from './pdfs.operational.js';
import { planPages } from './plan-pages.process.js';
import { Wish } from './wish.js';

/** Pages up to which a PDF is made by the process that is asked for it; larger ones are runs. */
const mostInline = 50;
const layoutMs = 120_000;
const lookEveryMs = 250;
/** How long a failure holds before it is tried again, ms. */
const failedFor = { limit_reached: 600_000, unavailable: 10_000, unexpected: 30_000, not_found: 5_000 } as const;

/** Makes PDFs: each once, however many ask for it. */
export class PdfLayouts {
  readonly #context: ServiceContext;
  readonly #settings: PdfSettings;
  readonly #pool: ChildPool;
  readonly #sweeper: PdfSweeper;
  readonly #availability: PdfAvailability;
  readonly #underWay = new Map<string, Promise<void>>();
  /** PDFs that were begun a moment ago. */
  readonly #begun = new LRUCache<string, true>({ max: 1_000, ttl: 10_000 });
  #fonts: Promise<FontFiles> | undefined;

  constructor(
    context: ServiceContext,
    settings: PdfSettings,
    private readonly sources: PdfSources,
    private readonly files: FileStore,
  ) {
    this.#context = context;
    this.#settings = settings;
    this.#sweeper = new PdfSweeper(context);
    this.#pool = createChildPool({ metrics: childMetrics(context.registry) });
    this.#availability = new PdfAvailability(context, this.#pool);
  }

  /** The fonts of the installation. */
  fonts(): Promise<FontFiles> {
    return (this.#fonts ??= readFonts(this.#settings.PDF_FONTS_DIR).catch((err: unknown) => {
      this.#context.logger.warn({ err }, 'the folder of fonts for PDFs cannot be read');
      return readFonts(undefined);
    }));
  }

  async layouts(): Promise<Layouts> {
    return { pool: this.#pool, fonts: await this.fonts() };
  }

  /** The base of addresses. */
  get origin(): string {
    return this.files.origin;
  }

  scheduleRemoval(correlation: string): Promise<void> {
    return this.#sweeper.schedule(correlation);
  }

  get memoryMb(): number {
    return this.#settings.PDF_MEMORY_MB;
  }

  /** The processes that lay out now. */
  pids(): number[] {
    return this.#pool.pids();
  }

  async stop(): Promise<void> {
    await this.#pool.stop();
    await Promise.allSettled(this.#underWay.values());
  }

  /** @throws AppError `unavailable` where the layout does not run at all */
  requireAvailable(): Promise<void> {
    return this.#availability.require();
  }

  /** Whether the layout runs, for operators. */
  check(): Check {
    return this.#availability.check();
  }

  /**
   * The PDF with a key; begins to make it when nobody does, and waits for it until `until` (ms).
   * @throws AppError `not_found` for one that nobody has asked for, `limit_reached`, `unavailable` when it takes longer
   */
  async wait(store: StoreScope, key: string, until: number): Promise<MadePdf> {
    for (;;) {
      const asked = await findPdf(this.#context, key);
      if (asked === undefined) throw new AppError('not_found');
      if (asked.made !== undefined) return asked.made;
      const { failure } = asked;
      if (failure !== undefined && failure.at + failedFor[failure.reason] > this.#context.now())
        throw new AppError(failure.reason, [], { message: failure.message, retryAfter: 30 });
      const left = until - this.#context.now();
      if (left <= 0)
        throw new AppError('unavailable', [], { message: 'The PDF is being made, try again', retryAfter: 5 });
      const own = this.#workOn(store, key, asked.wish);
      await Promise.race([
        own,
        pause(Math.min(own === undefined ? lookEveryMs : left, left), undefined, { ref: false }),
      ]);
    }
  }

  /** The work on a PDF in this process, which is begun unless it was a moment ago. */
  #workOn(store: StoreScope, key: string, wish: string): Promise<void> | undefined {
    const known = this.#underWay.get(key);
    if (known !== undefined || this.#begun.has(key)) return known;
    this.#begun.set(key, true);
    const work = this.#make(store, key, Wish.parse(JSON.parse(wish)))
      .catch((error: unknown) => noteFailure(this.#context, key, this.#failureOf(error)))
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, work);
    return work;
  }

  async #make(store: StoreScope, key: string, wish: Wish): Promise<void> {
    const scope = this.#context.scope(store);
    const { sources, files } = this;
    const plan = await planPages(scope, sources, wish, await openWish(scope, sources, wish));
    const { space, organization } = wish;
    if (plan.pages.length > mostInline) {
      await requestLayout(store.in(organization), { key, space });
      return;
    }
    const pages = await preparePages(scope, wish, plan, plan.pages);
    const limits = { memoryMb: this.memoryMb, withinMs: layoutMs, deadline: Date.now() + layoutMs };
    const made = await finishPdf(scope, { sources, layouts: await this.layouts(), limits }, { wish, plan }, pages);
    await keepPdf(scope, files, { key, space }, made);
  }

  #failureOf(error: unknown): PdfFailure {
    const at = this.#context.now();
    if (error instanceof AppError && isKept(error.reason)) return { reason: error.reason, message: error.message, at };
    this.#context.logger.error({ err: error }, 'a PDF could not be made');
    return { reason: 'unexpected', message: 'The PDF could not be made', at };
  }
}

function isKept(reason: string): reason is PdfFailure['reason'] {
  return reason === 'limit_reached' || reason === 'unavailable' || reason === 'not_found';
}
