import { createRemembered, readable, type Clock, type ReadModel, type Remembered } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';

/** When a member was last seen: written without an event, so it stands beside the projections, not in one. */
export interface LastSeenDocument {
  organization: string;
  at: string;
}

/** What is stored at most once a minute may be shown this much later, ms: then lists of members need no query of their own for it. */
const lookedAtEvery = 100;
const organizationsRemembered = 10_000;

/** When the members of this service's organizations were last seen. */
export class LastSeen {
  readonly #context: Pick<ServiceContext, 'store'>;
  readonly #clock: Clock;
  /** The latest of an organization. */
  readonly #latest: Remembered<Pick<LastSeenDocument, 'at'> | null>;
  #model: ReadModel<LastSeenDocument> | undefined;

  constructor(context: Pick<ServiceContext, 'store'>, clock: Clock) {
    this.#context = context;
    this.#clock = clock;
    this.#latest = createRemembered({ max: organizationsRemembered }, clock);
  }

  /** By `memberKey` of the membership. */
  get model(): ReadModel<LastSeenDocument> {
    return (this.#model ??= readable<LastSeenDocument>(this.#context.store.database.collection('op_last_seen')));
  }

  /** Called by Nest before the service answers. */
  async onModuleInit(): Promise<void> {
    await this.model.raw.createIndexes([{ key: { organization: 1, at: 1, _id: 1 }, name: 'organization_at' }]);
  }

  /**
   * When somebody of the organization was last seen, empty when nobody ever was; at most 100 ms old. No event changes with it:
   * it belongs into the key of every answer that is remembered and shows `lastSeenAt`.
   */
  async latest(organization: string): Promise<string> {
    const now = () => String(Math.floor(this.#clock.monotonic() / lookedAtEvery));
    const find = () => this.model.findOne({ organization }, { sort: { at: -1 }, projection: { at: 1 } });
    return (await this.#latest.get(organization, now, find))?.at ?? '';
  }
}
