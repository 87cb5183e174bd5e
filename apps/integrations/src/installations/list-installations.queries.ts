import {
  AppError,
  type InstallationStatus,
  type Integration,
  type IntegrationInstallation,
} from '@scriptorium/contracts';
import { containing, findPage, keyed, pageBy, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import {
  findByName,
  integrations,
  showIntegrations,
  type Caller,
  type Showing,
  type StoredIntegration,
} from '../publishing/index.js';
import { installations, type InstallationDocument } from './installation.projection.js';
import { installedIn, type FoundInstallation } from './installations.queries.js';
import { showInstallations, statusOf } from './show-installations.queries.js';

type Listing = PageRequest & { operation: string };

/** The installations of an integration, the newest first. */
export async function listOfIntegration(
  scope: Scope,
  showing: Showing,
  { caller, integration }: { caller: Caller; integration: StoredIntegration },
  { operation, page, limit, externalId }: Listing & { externalId?: string | undefined },
): Promise<Page<IntegrationInstallation>> {
  const { _id: id } = integration;
  const found = await findPage<InstallationDocument>(scope.cursors, {
    model: scope.store.read(installations),
    filter: {
      integration: id,
      isEnding: false,
      // An installation sees itself alone.
      ...(caller.kind === 'installation' ? { _id: caller.id } : {}),
      ...(externalId === undefined ? {} : { externalIds: externalId }),
    },
    sort: 'createdAt',
    binding: { operation, scope: { id, externalId, ...onlyOf(caller) }, order: 'desc' },
    request: { page, limit },
  });
  const all = found.items.map((installation) => ({ installation, integration }));
  return { ...found, items: await showInstallations(scope, showing, caller, all) };
}

/** What binds a page of a list to the installation that lists it. */
function onlyOf({ kind, id }: Caller): { installation?: string } {
  return kind === 'installation' ? { installation: id } : {};
}

/** What is installed in an organization, with what it is, the newest first. */
export async function listOfOrganization(
  scope: Scope,
  showing: Showing,
  { caller, organization }: { caller: Caller; organization: string },
  { search, ...request }: Listing & { search?: string | undefined },
): Promise<Page<{ integration: Integration; installation: IntegrationInstallation }>> {
  const pattern = search === undefined ? undefined : containing(search.toLowerCase());
  const all = (await foundIn(scope, organization)).filter(
    ({ integration }) => pattern?.test(integration.words) !== false,
  );
  const found = await pageOf(scope, all, { ...request, bound: { organization, search } });
  const [shown, what] = [
    await showInstallations(scope, showing, caller, found.items),
    await showIntegrations(
      scope,
      showing,
      caller,
      found.items.map(({ integration }) => integration),
    ),
  ];
  const items = shown.flatMap((installation, i) => {
    const integration = what[i];
    return integration === undefined ? [] : [{ integration, installation }];
  });
  return { ...found, items };
}

/** The status of what is installed in an organization, the newest first. */
export async function listStatus(
  scope: Scope,
  showing: Showing,
  { caller, organization }: { caller: Caller; organization: string },
  { target, ...request }: Listing & { target: 'organization' | 'space' | 'site' },
): Promise<Page<{ status: InstallationStatus; integration: Integration }>> {
  const all = (await foundIn(scope, organization)).filter(({ installation }) => isOn(installation, target));
  const found = await pageOf(scope, all, { ...request, bound: { organization, target } });
  const what = await showIntegrations(
    scope,
    showing,
    caller,
    found.items.map(({ integration }) => integration),
  );
  const items = found.items.flatMap((one, i) => {
    const integration = what[i];
    return integration === undefined ? [] : [{ status: statusOf(one), integration }];
  });
  return { ...found, items };
}

/** The status of an integration in an organization. @throws AppError `not_found` when it is not installed */
export async function statusIn(scope: Scope, organization: string, name: string): Promise<InstallationStatus> {
  const integration = await findByName(scope, name);
  const all = integration === null ? [] : await foundIn(scope, organization);
  const found = all.find(({ installation }) => installation.integration === integration?._id);
  if (found === undefined) throw new AppError('not_found');
  return statusOf(found);
}

/** What is installed in an organization: few enough to be read together. */
async function foundIn(scope: Scope, organization: string): Promise<FoundInstallation[]> {
  const all = await installedIn(scope, organization);
  const what = keyed(await scope.store.read(integrations).byIds(all.map(({ integration }) => integration)));
  return all.flatMap((installation) => {
    const integration = what.get(installation.integration);
    return integration === undefined ? [] : [{ installation, integration }];
  });
}

function pageOf(
  scope: Scope,
  all: readonly FoundInstallation[],
  { operation, page, limit, bound }: Listing & { bound: object },
): Promise<Page<FoundInstallation>> {
  return pageBy<FoundInstallation>(scope.cursors, {
    binding: { operation, scope: { ...bound }, sort: 'createdAt', order: 'desc' },
    request: { page, limit },
    fetch: (most, after) => {
      const start = after === undefined ? 0 : all.findIndex((one) => isBehind(one, String(after[0]), after[1]));
      return start === -1 ? [] : all.slice(start, start + most);
    },
    count: () => all.length,
    isCounted: true,
    keysOf: ({ installation }) => [installation.createdAt, installation._id],
  });
}

function isBehind({ installation: { createdAt, _id } }: FoundInstallation, time: string, id: string): boolean {
  return createdAt === time ? _id < id : createdAt < time;
}

function isOn(
  { spaceSelection, siteSelection, spaces, sites }: FoundInstallation['installation'],
  target: 'organization' | 'space' | 'site',
): boolean {
  if (target === 'organization') return true;
  return target === 'space'
    ? spaceSelection === 'all' || spaces.length > 0
    : siteSelection === 'all' || sites.length > 0;
}
