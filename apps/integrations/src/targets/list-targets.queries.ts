import type { Place, ServiceAccess } from '@scriptorium/access';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import {
  installations,
  targetEntries,
  targetsOf,
  type FoundInstallation,
  type StoredInstallation,
} from '../installations/index.js';
import { knownSites, knownSpaces, type TargetKind } from '../places/index.js';
import type { Caller, Showing, StoredIntegration } from '../publishing/index.js';
import { showTargets, type FoundTarget, type ShownTarget } from './targets.queries.js';

interface Listing extends PageRequest {
  operation: string;
  kind: TargetKind;
}

/** What is listed, with the space or site that it is installed on. */
export type ListedTarget = ShownTarget & { target: FoundTarget['target'] };

/** The spaces, or sites, of an installation that a member may view, by title; `viewer` null: all of them. */
export async function listOfInstallation(
  scope: Scope,
  showing: Showing,
  { caller, found, viewer }: { caller: Caller; found: FoundInstallation; viewer: Place | null },
  listing: Listing,
): Promise<Page<ListedTarget>> {
  const { installation } = found;
  const ids = await targetsOf(scope, showing.access, listing.kind, { installation, viewer });
  const among = new Map(ids.map((id) => [id, found]));
  return listAmong(scope, showing, { caller, among, bound: { installation: installation._id } }, listing);
}

/** The spaces, or sites, of all installations of an integration, by title. */
export async function listOfIntegration(
  scope: Scope,
  showing: Showing,
  { caller, integration }: { caller: Caller; integration: StoredIntegration },
  { externalId, ...listing }: Listing & { externalId?: string | undefined },
): Promise<Page<ListedTarget>> {
  // An installation sees itself alone.
  const only = caller.kind === 'installation' ? { _id: caller.id } : {};
  const all = await scope.store
    .read(installations)
    .find({ integration: integration._id, isEnding: false, ...only })
    .toArray();
  const known = externalId === undefined ? undefined : await knownBy(scope, listing.kind, externalId);
  const among = new Map<string, FoundInstallation>();
  for (const installation of all) {
    const wanted = known?.get(installation._id);
    if (known !== undefined && wanted === undefined) continue;
    for (const id of await allOf(scope, showing.access, listing.kind, installation))
      if (wanted?.has(id) !== false) among.set(id, { installation, integration });
  }
  const bound = { integration: integration._id, externalId, ...only };
  return listAmong(scope, showing, { caller, among, bound }, listing);
}

function allOf(scope: Scope, access: ServiceAccess, kind: TargetKind, installation: StoredInstallation) {
  return targetsOf(scope, access, kind, { installation, viewer: null });
}

/** The spaces or sites that an integration knows by an external id, by installation. */
async function knownBy(
  { store }: Scope,
  kind: TargetKind,
  externalId: string,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = await store.read(targetEntries).find({ kind, externalIds: externalId }).toArray();
  const known = new Map<string, Set<string>>();
  for (const { installation, target } of found)
    known.set(installation, (known.get(installation) ?? new Set()).add(target));
  return known;
}

async function listAmong(
  scope: Scope,
  showing: Showing,
  { caller, among, bound }: { caller: Caller; among: ReadonlyMap<string, FoundInstallation>; bound: object },
  { operation, kind, page, limit }: Listing,
): Promise<Page<ListedTarget>> {
  const filter = { _id: { $in: [...among.keys()] } };
  const list = { sort: 'title', binding: { operation, scope: { ...bound, kind }, order: 'asc' } } as const;
  const request = { page, limit };
  const { store, cursors } = scope;
  const found =
    kind === 'space'
      ? await findPage(cursors, { ...list, model: store.read(knownSpaces), filter, request })
      : await findPage(cursors, { ...list, model: store.read(knownSites), filter, request });
  const targets = found.items
    .map(({ _id }) => _id)
    .flatMap((id) => {
      const one = among.get(id);
      return one === undefined ? [] : [{ ...one, target: { kind, id } }];
    });
  const shown = await showTargets(scope, showing, caller, targets);
  const items = shown.flatMap((one, i) => {
    const target = targets[i]?.target;
    return target === undefined ? [] : [{ ...one, target }];
  });
  return { ...found, items };
}
