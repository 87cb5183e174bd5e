import type { ServiceAccess } from '@scriptorium/access';
import { siteVisibilities } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { knownSpaces, siteShowings } from '../places/index.js';
import type { Cause } from './cause.js';
import { visibilityOnSites, type SpaceVisibility, type VisibilityChange } from './space-visibility.js';
import { addVisibilities, visibilities, type VisibilityDocument } from './visibility.operational.js';

interface Parts {
  context: Pick<ServiceContext, 'database'>;
  access: ServiceAccess;
}

const addedAtOnce = 1_000;

/** The visibility of the spaces of an organization, as the read models have it. */
interface Present {
  /** Those that published sites show. */
  onSites: ReadonlyMap<string, SpaceVisibility>;
  /** `undefined` for a space that is deleted or elsewhere. */
  of: (space: string) => SpaceVisibility | undefined;
}

/**
 * Tells when the visibility of spaces changes. No event of the log says so: it follows from sites and from where spaces
 * stand, and is compared with what was told last.
 */
export class VisibilityChanges {
  readonly #parts: Parts;
  #hasBegun = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Stores what the visibility of all spaces is, unless that was done before: changes are told from there on. */
  async begin(store: StoreScope): Promise<void> {
    if (this.#hasBegun) return;
    const { context } = this.#parts;
    const marks = context.database.collection<{ _id: string; position: number }>('op_planner');
    if ((await marks.findOne({ _id: 'visibility' })) === null) {
      await this.#addAll(store);
      await marks.updateOne({ _id: 'visibility' }, { $setOnInsert: { position: 0 } }, { upsert: true });
    }
    this.#hasBegun = true;
  }

  /**
   * Looks for changes because of the events of one batch, which are planned again where that was interrupted: the same
   * changes are found then. What the read models say is read once for an organization.
   */
  batch(store: StoreScope): (cause: Cause, organization: string, position: number) => Promise<VisibilityChange[]> {
    const known = new Map<string, Promise<Present>>();
    return async (cause, organization, position) => {
      const named = spaceOf(cause);
      if (named === undefined) return [];
      const present = known.get(organization) ?? this.#presentIn(store, organization);
      known.set(organization, present);
      const { onSites, of } = await present;
      const spaces = named === null ? await this.#shownIn(organization, onSites) : [named];
      const stored = await visibilities(this.#parts.context)
        .find({ _id: { $in: spaces } })
        .toArray();
      const before = new Map(stored.map((doc) => [doc._id, doc]));
      const changes: VisibilityChange[] = [];
      for (const space of spaces) {
        const visibility = of(space);
        if (visibility === undefined) continue;
        const change = await this.#compare({ space, visibility, organization, position }, before.get(space));
        if (change !== undefined) changes.push(change);
      }
      return changes;
    };
  }

  async #compare(
    { space, visibility, organization, position }: SpaceNow,
    before: VisibilityDocument | undefined,
  ): Promise<VisibilityChange | undefined> {
    const { context } = this.#parts;
    if (before === undefined) {
      await addVisibilities(context, [{ _id: space, organization, present: visibility }]);
      return undefined;
    }
    // It was found before, but perhaps not planned.
    if (before.last?.position === position) return { space, previous: before.last.previous, present: before.present };
    const isSame = before.present === visibility;
    if (isSame && before.organization === organization) return undefined;
    const last = isSame ? before.last : { previous: before.present, position };
    await visibilities(context).updateOne({ _id: space }, { $set: { organization, present: visibility, last } });
    return isSame ? undefined : { space, previous: before.present, present: visibility };
  }

  /** The spaces that published sites show, and those that they showed when that was told last. */
  async #shownIn(organization: string, onSites: ReadonlyMap<string, SpaceVisibility>): Promise<string[]> {
    const stored = await visibilities(this.#parts.context)
      .find({ organization, present: { $in: [...siteVisibilities] } })
      .project<{ _id: string }>({ _id: 1 })
      .toArray();
    return [...new Set([...onSites.keys(), ...stored.map(({ _id }) => _id)])];
  }

  async #presentIn(store: StoreScope, organization: string): Promise<Present> {
    const onSites = visibilityOnSites(await store.read(siteShowings).find({ organization }).toArray());
    const nodes = await this.#parts.access.nodesOf({ store }, organization);
    return {
      onSites,
      of: (space) => {
        if (!nodes.has(space) || nodes.deletedAt(space) !== null) return undefined;
        return onSites.get(space) ?? (nodes.parentOf(space) === null ? 'private' : 'in-collection');
      },
    };
  }

  async #addAll(store: StoreScope): Promise<void> {
    const known = new Map<string, Present>();
    let added: Pick<VisibilityDocument, '_id' | 'organization' | 'present'>[] = [];
    for await (const { _id, organization } of store.read(knownSpaces).find({}).stream()) {
      const present = known.get(organization) ?? (await this.#presentIn(store, organization));
      known.set(organization, present);
      const visibility = present.of(_id);
      if (visibility !== undefined) added.push({ _id, organization, present: visibility });
      if (added.length < addedAtOnce) continue;
      await addVisibilities(this.#parts.context, added);
      added = [];
    }
    await addVisibilities(this.#parts.context, added);
  }
}

/** A space as it is now. `position`: of the event because of which that is asked. */
interface SpaceNow {
  space: string;
  visibility: SpaceVisibility;
  organization: string;
  position: number;
}

/** The space whose visibility a cause may change; `null` for all on a site, `undefined` for none. */
function spaceOf(cause: Cause): string | null | undefined {
  if (cause.kind === 'showing_changed') return cause.space;
  return cause.kind === 'place_added' && cause.target.kind === 'space' ? cause.target.id : undefined;
}
