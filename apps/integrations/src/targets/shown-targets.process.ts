import type { IntegrationSiteInstallation, IntegrationSpaceInstallation } from '@scriptorium/contracts';
import { Reply, type Call, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import {
  isOfIntegration,
  requireInstallation,
  requirePlace,
  type InstallationParams,
  type Target,
} from '../installations/index.js';
import type { TargetKind } from '../places/index.js';
import { requireIntegration, type Showing } from '../publishing/index.js';
import { addFor } from './change-targets.process.js';
import { listOfInstallation, listOfIntegration, type ListedTarget } from './list-targets.queries.js';
import { referToTarget, showTargets, type FoundTarget } from './targets.queries.js';

/** What an installation has on a space, or on a site, as it is answered. */
export type ShownOn<K extends TargetKind> = K extends 'space'
  ? IntegrationSpaceInstallation
  : IntegrationSiteInstallation;

interface Listed<P> {
  params: P;
  query: PageRequest & { extended: boolean };
}

/** The space or site of a request, with its installation. `extended`: the object itself is asked for. */
export interface Asked<K extends TargetKind> {
  params: InstallationParams;
  target: Target & { kind: K };
  extended: boolean;
}

/** The spaces, or sites, of all installations of an integration. */
export function showOfIntegration<K extends TargetKind>(
  call: Call,
  showing: Showing,
  kind: K,
  { params, query }: Listed<{ integrationName: string }> & { query: { externalId?: string | undefined } },
) {
  return call.cached({ of: [params, query] }, async (scope) => {
    const integration = await requireIntegration(scope, params.integrationName);
    const listing = { ...query, operation: call.operation, kind };
    const page = await listOfIntegration(scope, showing, { caller: call.principal, integration }, listing);
    return shownPage(kind, page, query.extended);
  });
}

/** The spaces, or sites, of an installation. */
export function showOfInstallation<K extends TargetKind>(
  call: Call,
  showing: Showing,
  kind: K,
  { params, query }: Listed<InstallationParams>,
) {
  return call.cached({ of: [params, query] }, async (scope) => {
    const found = await requireInstallation(scope, params);
    const { principal } = call;
    const viewer = isOfIntegration(principal)
      ? null
      : await requirePlace(scope, showing.access, found.installation.organization, principal);
    const listing = { ...query, operation: call.operation, kind };
    const page = await listOfInstallation(scope, showing, { caller: call.principal, found, viewer }, listing);
    return shownPage(kind, page, query.extended);
  });
}

/** Installs an integration on a space or site. `field`: what names it. The status tells whether it was not there. */
export async function addShown<K extends TargetKind>(
  call: Call,
  showing: Showing,
  asked: Asked<K>,
  field: string,
): Promise<ShownOn<K> | Reply<ShownOn<K>>> {
  const found = await requireInstallation(call, asked.params);
  const isNew = await addFor(call, showing.access, found, { target: asked.target, field });
  const added = await showOne(call, call, showing, asked);
  return isNew ? added : new Reply(added, { status: 200 });
}

/** What an installation has on a space or site. */
export async function showOne<K extends TargetKind>(
  scope: Scope,
  { principal }: Call,
  showing: Showing,
  { params, target, extended }: Asked<K>,
): Promise<ShownOn<K>> {
  const [one] = await showTargets(scope, showing, principal, [await findTarget(scope, params, target)]);
  return shown(target.kind, { ...one, target } as ListedTarget, extended);
}

/** An installation with a space or site of it. @throws AppError `not_found` */
export async function findTarget(
  scope: Pick<Scope, 'store'>,
  params: InstallationParams,
  target: Target,
): Promise<FoundTarget> {
  return { ...(await requireInstallation(scope, params)), target };
}

function shownPage<K extends TargetKind>(kind: K, page: Page<ListedTarget>, extended: boolean): Page<ShownOn<K>> {
  return { ...page, items: page.items.map((one) => shown(kind, one, extended)) };
}

function shown<K extends TargetKind>(kind: K, { target, ...one }: ListedTarget, extended: boolean): ShownOn<K> {
  return { ...one, [kind]: referToTarget(target, extended) } as ShownOn<K>;
}
