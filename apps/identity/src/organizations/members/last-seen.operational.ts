import {
  createVersionedCache,
  isDuplicate,
  readable,
  type Clock,
  type ReadModel,
  type VersionedCache,
} from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { memberKey } from '../../read-models/index.js';

/** When a member was last seen: written without an event, so it stands beside the projections, not in one. */
export interface LastSeenDocument {
  organization: string;
  at: string;
}

const collection = 'op_last_seen';
export const lastSeenIndexes = {
  [collection]: [{ key: { organization: 1, at: 1, _id: 1 }, name: 'organization_at' }],
} as const;

/** What is stored at most once a minute may be shown this much later, ms: then lists of members need no query of their own for it. */
const lookedAtEvery = 100;
const organizationsRemembered = 10_000;
/** A member who is seen again within this time is not recorded again, ms. */
const storedEvery = 60_000;

/** When the members of this service's organizations were last seen. */
export class LastSeen {
  readonly #context: Pick<ServiceContext, 'database'>;
  readonly #clock: Clock;
  /** The latest of an organization. */
  readonly #latest: VersionedCache<Pick<LastSeenDocument, 'at'> | null>;
  #model: ReadModel<LastSeenDocument> | undefined;

  constructor(context: Pick<ServiceContext, 'database'>, clock: Clock) {
    this.#context = context;
    this.#clock = clock;
    this.#latest = createVersionedCache({ max: organizationsRemembered }, clock);
  }

  /** By `memberKey` of the membership. */
  get model(): ReadModel<LastSeenDocument> {
    return (this.#model ??= readable<LastSeenDocument>(this.#context.database.collection(collection)));
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

  /** Records that a member is there; nothing when that was recorded less than a minute ago, whoever recorded it. */
  async record({ organization, user, now }: { organization: string; user: string; now: number }): Promise<void> {
    const _id = memberKey(organization, user);
    const due = { _id, at: { $lte: new Date(now - storedEvery).toISOString() } };
    try {
      await this.model.raw.updateOne(
        due,
        { $set: { organization, at: new Date(now).toISOString() } },
        { upsert: true },
      );
    } catch (error) {
      // There is a record, and it is not due: the id alone made the upsert fail.
      if (!isDuplicate(error)) throw error;
    }
  }

  /** Forgets a member who left, unless they have come back since. */
  async forgetMember({
    organization,
    user,
    left,
  }: {
    organization: string;
    user: string;
    left: string;
  }): Promise<void> {
    await this.model.raw.deleteOne({ _id: memberKey(organization, user), at: { $lte: left } });
  }

  /** Forgets all that were seen in an organization. */
  async forgetOrganization(organization: string): Promise<void> {
    await this.model.raw.deleteMany({ organization });
  }
}
