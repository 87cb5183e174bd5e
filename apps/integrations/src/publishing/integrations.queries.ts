import type { ServiceAccess } from '@scriptorium/access';
import { AppError, type Integration, type IntegrationScope, type Principal } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { containing, findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import type { Filter } from 'mongodb';
import type { Addresses } from '../addresses/index.js';
import { integrations, type IntegrationDocument } from './integration.projection.js';
import { renderIntegration } from './integration.render.js';

export type StoredIntegration = Stored<IntegrationDocument>;

/** Who looks at integrations. */
export type Caller = Principal;

/** What integrations are shown with. */
export interface Showing {
  access: ServiceAccess;
  addresses: Addresses;
}

export interface IntegrationFilter {
  search?: string | undefined;
  category?: IntegrationDocument['categories'][number] | undefined;
  blockDomain?: string | undefined;
  blocks?: boolean | undefined;
  contentSources?: boolean | undefined;
  owner?: string | undefined;
  scope?: IntegrationScope | undefined;
  target?: IntegrationDocument['target'] | undefined;
}

/** The integration that has a name, or one that differs in its case alone. */
export function findByKey({ store }: Pick<Scope, 'store'>, name: string): Promise<StoredIntegration | null> {
  return store.read(integrations).findOne({ key: name.toLowerCase() });
}

/** The integration of exactly this name. */
export async function findByName(scope: Pick<Scope, 'store'>, name: string): Promise<StoredIntegration | null> {
  const found = await findByKey(scope, name);
  return found?.name === name ? found : null;
}

/** The same. @throws AppError `not_found` */
export async function requireIntegration(scope: Pick<Scope, 'store'>, name: string): Promise<StoredIntegration> {
  const found = await findByName(scope, name);
  if (found === null) throw new AppError('not_found');
  return found;
}

/** How many integrations an organization publishes. */
export function countOwned({ store }: Pick<Scope, 'store'>, organization: string): Promise<number> {
  return store.read(integrations).count({ organization });
}

/** Integrations as a caller sees them, in the same order. */
export async function showIntegrations(
  scope: Scope,
  { access, addresses }: Showing,
  caller: Caller,
  docs: readonly StoredIntegration[],
): Promise<Integration[]> {
  const admin = new Map<string, boolean>();
  for (const { organization } of docs)
    if (!admin.has(organization)) {
      const place = await access.placeIn(scope, organization, caller);
      admin.set(organization, place?.role === 'admin' && !place.withoutSSO);
    }
  return docs.map((doc) => renderIntegration(doc, addresses, admin.get(doc.organization) === true));
}

/** The public integrations; of an `owner`, all if the caller is a member there. */
export async function listPublic(
  scope: Scope,
  showing: Showing,
  caller: Caller,
  { owner, ...request }: IntegrationFilter & PageRequest & { operation: string },
): Promise<Page<Integration>> {
  const isMember = owner !== undefined && (await showing.access.placeIn(scope, owner, caller))?.withoutSSO === false;
  const among: Filter<StoredIntegration> = {
    ...(isMember ? {} : { visibility: 'public' }),
    ...(owner === undefined ? {} : { organization: owner }),
  };
  return listAmong(scope, showing, { caller, among, bound: { owner, isMember } }, request);
}

/** What an organization can install: what is public, what it publishes itself, and what it has installed. */
export function listInstallable(
  scope: Scope,
  showing: Showing,
  { caller, organization, installed }: { caller: Caller; organization: string; installed: readonly string[] },
  { owner, ...request }: IntegrationFilter & PageRequest & { operation: string },
): Promise<Page<Integration>> {
  const among: Filter<StoredIntegration> = {
    $or: [{ visibility: 'public' }, { organization }, { _id: { $in: [...installed] } }],
    ...(owner === undefined ? {} : { organization: owner }),
  };
  return listAmong(scope, showing, { caller, among, bound: { owner, organization } }, request);
}

async function listAmong(
  scope: Scope,
  showing: Showing,
  { caller, among, bound }: { caller: Caller; among: Filter<StoredIntegration>; bound: object },
  { operation, page, limit, ...filter }: IntegrationFilter & PageRequest & { operation: string },
): Promise<Page<Integration>> {
  const found = await findPage<IntegrationDocument>(scope.cursors, {
    model: scope.store.read(integrations),
    filter: { $and: [among, filterOf(filter)] },
    sort: 'sortTitle',
    binding: { operation, scope: { ...bound, ...filter }, order: 'asc' },
    request: { page, limit },
  });
  return { ...found, items: await showIntegrations(scope, showing, caller, found.items) };
}

function filterOf(filter: IntegrationFilter): Filter<StoredIntegration> {
  const { search, category, blockDomain, blocks, contentSources, scope, target } = filter;
  return {
    ...(search === undefined ? {} : { words: { $regex: containing(search.toLowerCase()).source } }),
    ...(category === undefined ? {} : { categories: category }),
    ...(blockDomain === undefined ? {} : { domains: blockDomain.toLowerCase() }),
    ...(blocks === undefined ? {} : { hasBlocks: blocks }),
    ...(contentSources === undefined ? {} : { hasContentSources: contentSources }),
    ...(scope === undefined ? {} : { scopes: scope }),
    ...(target === undefined ? {} : { target }),
  };
}
