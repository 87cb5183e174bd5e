import { AppError, type PrincipalChange } from '@scriptorium/contracts';
import { systemClock, type AnyProjection } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { createFreshWait } from './fresh-wait.js';
import { createFreshness, type Freshness } from './freshness.js';

const Announcement = z.object({
  epoch: z.string().min(1).max(128),
  recorded: z.record(z.string().max(64), z.string().regex(/^\d{1,20}$/)).default({}),
}) satisfies z.ZodType<Pick<PrincipalChange, 'epoch' | 'recorded'>>;

/** The part of a service that is needed to know whether its read models are fresh. */
export type HearingContext = Pick<ServiceContext, 'messaging' | 'store' | 'logger'>;

/** Whether read models of one service are fresh, by what another service announces on a subject. */
export class HeardFreshness {
  readonly #context: HearingContext;
  readonly #projections: readonly AnyProjection[];
  readonly #subscribed: Promise<{ unsubscribe(): Promise<void> } | undefined>;
  #freshness: Freshness | undefined;
  #becomesFresh: (() => Promise<boolean>) | undefined;

  constructor(
    context: HearingContext,
    { subject, projections }: { subject: string; projections: readonly AnyProjection[] },
  ) {
    this.#context = context;
    this.#projections = projections;
    this.#subscribed = context.messaging.subscribe(subject, (body) => this.#hear(body));
    // Without the subscription nothing is ever fresh, and requests are answered with `unavailable`.
    this.#subscribed.catch((err: unknown) => context.logger.error({ err, subject }, 'announcements are not heard'));
  }

  /** @throws AppError `unavailable` while the read models are not fresh */
  async require(): Promise<void> {
    this.#becomesFresh ??= createFreshWait(this.#fresh, systemClock);
    if (await this.#becomesFresh()) return;
    throw new AppError('unavailable', [], { message: 'Access cannot be decided right now, try again', retryAfter: 1 });
  }

  async stop(): Promise<void> {
    await (await this.#subscribed.catch(() => undefined))?.unsubscribe();
  }

  /** Created at its first use, since the store exists only after the start of the service. */
  get #fresh(): Freshness {
    return (this.#freshness ??= createFreshness(
      {
        isLive: (projections) => this.#context.store.isLive(projections),
        written: (projection) => this.#context.store.written(projection),
      },
      { clock: systemClock, projections: this.#projections },
    ));
  }

  #hear(body: Uint8Array): void {
    const { epoch, recorded } = Announcement.parse(JSON.parse(new TextDecoder().decode(body)));
    this.#fresh.heard({
      epoch,
      recorded: new Map(Object.entries(recorded).map(([entity, position]) => [entity, BigInt(position)])),
    });
  }
}
