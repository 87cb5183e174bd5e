import { AppError, type OrganizationSSOLogin, type SAMLProvider, type Team } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import { findPage, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import {
  addressesOf,
  listLogins,
  type SAMLProviderDocument,
  samlProviders,
} from '../../organization-read-models/index.js';
import { domainOf, listOwnersOf, type SpaceCounts } from '../../organizations/index.js';
import { teams, renderTeam } from '../../teams/index.js';

/** The most organizations of one domain whose logins are shown to somebody who is not signed in. */
const organizationsOfDomain = 50;

/** Providers of an organization as its admins see them. A default team that was deleted is left out. */
async function renderProviders(
  scope: Scope,
  spaceCounts: SpaceCounts,
  organization: string,
  docs: readonly Stored<SAMLProviderDocument>[],
): Promise<SAMLProvider[]> {
  const wanted = docs.flatMap(({ defaultTeam }) => (defaultTeam === null ? [] : [defaultTeam]));
  const [found, counts] = await Promise.all([
    scope.store.read(teams).byIds(wanted),
    spaceCounts.ofTeams(scope, organization, wanted),
  ]);
  const permissions = { admin: true, view: true };
  const rendered = new Map(
    found.map((team) => [team._id, renderTeam(team, { permissions, spaces: counts.get(team._id) ?? 0 }, scope.urls)]),
  );
  return docs.map((doc) =>
    renderProvider(doc, doc.defaultTeam === null ? undefined : rendered.get(doc.defaultTeam), scope.urls),
  );
}

function renderProvider(
  doc: Stored<SAMLProviderDocument>,
  defaultTeam: Team | undefined,
  urls: Scope['urls'],
): SAMLProvider {
  const { ssoURL, entityID, certificate } = doc;
  return {
    object: 'saml-provider',
    id: doc._id,
    label: doc.label,
    ...(ssoURL === null ? {} : { ssoURL }),
    ...(entityID === null ? {} : { entityID }),
    ...(certificate === null ? {} : { certificate }),
    ...(defaultTeam === undefined ? {} : { defaultTeam }),
    defaultRole: doc.defaultRole,
    createdAt: doc.createdAt,
    status: doc.status,
    service: addressesOf({ urls }, doc._id),
    urls: { location: `${urls.api}/orgs/${doc.organization}/saml/${doc._id}` },
  };
}

export async function getProvider(
  scope: Scope,
  spaceCounts: SpaceCounts,
  organization: string,
  id: string,
): Promise<SAMLProvider> {
  const doc = await scope.store.read(samlProviders).byId(id);
  if (doc?.organization !== organization) throw new AppError('not_found');
  const [rendered] = await renderProviders(scope, spaceCounts, organization, [doc]);
  return rendered as SAMLProvider;
}

/** The providers of an organization, newest first. */
export async function listProviders(
  scope: Scope,
  spaceCounts: SpaceCounts,
  filter: PageRequest & { organization: string; operation: string },
): Promise<Page<SAMLProvider>> {
  const { organization, operation } = filter;
  const page = await findPage(scope.cursors, {
    model: scope.store.read(samlProviders),
    filter: { organization },
    sort: 'createdAt',
    binding: { operation, scope: { organization }, order: 'desc' },
    request: filter,
  });
  return { ...page, items: await renderProviders(scope, spaceCounts, organization, page.items) };
}

/**
 * The logins of the organizations that own the domain of an address. The address itself is not looked up, so the answer
 * does not reveal whether it is known.
 */
export async function listLoginsForAddress(scope: Scope, email: string): Promise<OrganizationSSOLogin[]> {
  const domain = domainOf(email);
  const owners = await listOwnersOf(scope, domain, organizationsOfDomain);
  const logins = await Promise.all(
    owners.map(async ({ _id, title }) => {
      const active = await listLogins(scope, _id);
      return active.map((login) => ({ organization: { title }, ...login }));
    }),
  );
  return logins.flat();
}
