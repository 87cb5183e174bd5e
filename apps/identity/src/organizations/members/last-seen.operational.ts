import {
  createVersionedCache,
  isDuplicate,
  readable,
  type Clock,
  type ReadModel,
  type VersionedCache,
} from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { memberKey } from '../../organization-read-models/index.js';

/** When a member was last seen. It is written without an event, so it is not part of a projection. */
export interface LastSeenDocument {
  organization: string;
  at: string;
}

const collection = 'op_last_seen';
export const lastSeenIndexes = {
  [collection]: [{ key: { organization: 1, at: 1, _id: 1 }, name: 'organization_at' }],
} as const;

/** How much later, in ms, a change may be shown. It lets lists of members do without a query of their own for it. */
const refreshMs = 100;
const maxCachedOrganizations = 10_000;
/** The shortest time between two records of a member, in ms. */
const recordEveryMs = 60_000;

/** Records and reads when members were last seen. */
export class LastSeen {
  readonly #context: Pick<ServiceContext, 'database'>;
  readonly #clock: Clock;
  /** The latest record of each organization. */
  readonly #latest: VersionedCache<Pick<LastSeenDocument, 'at'> | null>;
  #model: ReadModel<LastSeenDocument> | undefined;

  constructor(context: Pick<ServiceContext, 'database'>, clock: Clock) {
    this.#context = context;
    this.#clock = clock;
    this.#latest = createVersionedCache({ max: maxCachedOrganizations }, clock);
  }

  /** The records, by `memberKey`. */
  get model(): ReadModel<LastSeenDocument> {
    return (this.#model ??= readable<LastSeenDocument>(this.#context.database.collection(collection)));
  }

  /**
   * When any member of the organization was last seen, or an empty text; at most 100 ms old. No event changes with it,
   * so it is part of the key of every cached answer that shows `lastSeenAt`.
   */
  async latest(organization: string): Promise<string> {
    const now = () => String(Math.floor(this.#clock.monotonic() / refreshMs));
    const find = () => this.model.findOne({ organization }, { sort: { at: -1 }, projection: { at: 1 } });
    return (await this.#latest.get(organization, now, find))?.at ?? '';
  }

  /** Records that a member was seen, at most once a minute on all replicas together. */
  async record({ organization, user, now }: { organization: string; user: string; now: number }): Promise<void> {
    const _id = memberKey(organization, user);
    const due = { _id, at: { $lte: new Date(now - recordEveryMs).toISOString() } };
    try {
      await this.model.raw.updateOne(
        due,
        { $set: { organization, at: new Date(now).toISOString() } },
        { upsert: true },
      );
    } catch (error) {
      // There is a record that is not due yet, so the filter missed it and the upsert failed on its id.
      if (!isDuplicate(error)) throw error;
    }
  }

  /** Removes the record of a member who left, unless they have come back and been seen since. */
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

  /** Removes all records of an organization. */
  async forgetOrganization(organization: string): Promise<void> {
    await this.model.raw.deleteMany({ organization });
  }
}
