import type { ServiceAccess } from '@scriptorium/access';
import { reactor, type Reactor, type StoreScope } from '@scriptorium/event-sourcing';
import { nodeAccess } from '@scriptorium/access';
import { waitForProjections, type ServiceContext } from '@scriptorium/platform';
import { anyDevMode } from '../dev-mode/index.js';
import { dropDelivered } from '../dispatch/index.js';
import {
  dropTarget,
  installation,
  installationEvents,
  installations,
  targetEntries,
  targetIn,
  type Target,
} from '../installations/index.js';
import {
  isThere,
  knownSites,
  knownSpaces,
  siteDeletion,
  spaceDeletion,
  spaceEntry,
  spacePurge,
} from '../places/index.js';
import { dropVisibility } from '../outbox/index.js';
import { dropWhenTold } from './drop-site-configurations.timer.js';
import { configurations, partOf } from '../sealed/index.js';

const targetAdded = 'SpaceInstallationAdded';

/** What is installed on a space ends with it, or with the collection that it is in. */
export function deletedSpacesReactor(access: ServiceAccess): Reactor {
  return reactor({
    name: 'installations_on_deleted_spaces',
    entities: ['content.library'],
    events: [spaceDeletion],
    react: async ({ entityId: organization, position, data }, store) => {
      await waitForProjections({ store }, { position, type: targetAdded }, [targetEntries, nodeAccess]);
      const ids =
        'space' in data ? [data.space] : (await access.nodesOf({ store }, organization)).within(data.collection);
      for (const id of ids) await dropEverywhere(store, { kind: 'space', id });
    },
  });
}

/** A space that was transferred leaves the installations of the organization that it was in. */
export const transferredSpacesReactor: Reactor = reactor({
  name: 'installations_on_transferred_spaces',
  entities: ['content.library'],
  events: [spaceEntry],
  react: async ({ position, data }, store) => {
    await waitForProjections({ store }, { position, type: targetAdded }, [targetEntries]);
    for (const { id, kind } of data.nodes) if (kind === 'space') await dropEverywhere(store, { kind, id }, data.from);
  },
});

/** With a space everything goes that was configured there, and what was delivered because of it. */
export function purgedSpacesReactor(context: Pick<ServiceContext, 'database'>): Reactor {
  return reactor({
    name: 'configurations_of_purged_spaces',
    entities: ['content.library'],
    events: [spacePurge],
    react: async ({ data }) => {
      const target = { kind: 'space', id: data.space } as const;
      await configurations.dropAll(context, { part: partOf(target) });
      await dropDelivered(context, { target });
      await dropVisibility(context, target.id);
    },
  });
}

/**
 * What is installed on a site ends with it, and everything goes that was configured there: once scripts were told what
 * that was, if anybody takes what they are told.
 */
export function deletedSitesReactor(context: Pick<ServiceContext, 'database' | 'now'>, hasRuntime: boolean): Reactor {
  return reactor({
    name: 'installations_on_deleted_sites',
    entities: ['sites.directory'],
    events: [siteDeletion],
    react: async ({ position, data }, store) => {
      await waitForProjections({ store }, { position, type: 'SiteInstallationAdded' }, [targetEntries]);
      const target = { kind: 'site', id: data.site } as const;
      await dropEverywhere(store, target);
      if (!hasRuntime && !(await anyDevMode({ store })))
        return configurations.dropAll(context, { part: partOf(target) });
      const ended = Number(await store.written(installations));
      return dropWhenTold(store, { site: target.id, position: ended, now: context.now() });
    },
  });
}

/** What was added or configured at the moment in which the space, the site or the installation ended. */
export function lateTargetsReactor(context: Pick<ServiceContext, 'scope'>, access: ServiceAccess): Reactor {
  return reactor({
    name: 'late_installations_on_places',
    entities: ['installation'],
    events: [
      installationEvents.pick(
        'SpaceInstallationAdded',
        'SpaceInstallationConfigured',
        'SpaceInstallationExternalIdsChanged',
        'SiteInstallationAdded',
        'SiteInstallationConfigured',
        'SiteInstallationExternalIdsChanged',
      ),
    ],
    react: async ({ entityId: id, position, data, meta }, store) => {
      const target = targetIn(data);
      const [type, model] =
        target.kind === 'space' ? (['SpaceDeleted', knownSpaces] as const) : (['SiteDeleted', knownSites] as const);
      await waitForProjections({ store }, { position, type }, [model, nodeAccess, installations]);
      const organization = meta.organization ?? '';
      const isInstalled = (await store.read(installations).byId(id)) !== null;
      if (isInstalled && (await isThere(context.scope(store), access, organization, target))) return;
      await store
        .in(organization)
        .within({ [target.kind]: target.id })
        .handle(installation, id, (state) => dropTarget(state, target));
    },
  });
}

/** Takes a space or site out of all installations, or those of an organization. */
async function dropEverywhere(store: StoreScope, target: Target, organization?: string): Promise<void> {
  const { kind, id } = target;
  const entries = await store.read(targetEntries).find({ kind, target: id }).toArray();
  for (const { installation: owner } of entries) {
    const found = await store.read(installations).byId(owner);
    if (organization !== undefined && found?.organization !== organization) continue;
    await store
      .in(found?.organization ?? organization ?? null)
      .within({ [kind]: id })
      .step(`${owner}:${id}`)
      .handle(installation, owner, (state) => dropTarget(state, target));
  }
}
