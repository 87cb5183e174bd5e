import { installationStatus, requiredIn, type ServiceAccess } from '@scriptorium/access';
import {
  AppError,
  blaming,
  invalid,
  lacksLevel,
  roleAtLeast,
  type InputOf,
  type installIntegration,
  type InstallationSelection,
  type IntegrationTarget,
  type MemberRole,
} from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import type { StoredIntegration } from '../publishing/index.js';
import { configureBy } from './configuration.process.js';
import { install, roster } from './roster.js';
import { declaredBy } from './show-installations.queries.js';

type Body = InputOf<typeof installIntegration>['body'];

/** Selections that a request wishes. */
interface Selections {
  space_selection?: InstallationSelection | undefined;
  site_selection?: InstallationSelection | undefined;
}

/**
 * Installs an integration in an organization.
 * @throws AppError `not_found`, `forbidden`, `sso_required`, `already_installed`, `limit_reached`, and what names a
 * field of the body
 */
export async function installFor(
  call: Call,
  access: ServiceAccess,
  integration: StoredIntegration,
  body: Body,
): Promise<string> {
  const { organization, space_selection = 'selected', site_selection = 'selected', externalIds = [] } = body;
  const role = await requireInstaller(call, access, organization);
  if (integration.visibility === 'private' && integration.organization !== organization)
    throw blaming(
      'forbidden',
      'body.organization',
      'A private integration is installed by the organization that publishes it',
    );
  requireSelections(integration.target, role, { space_selection, site_selection });
  const id = call.idFor('installation');
  const declared = declaredBy(integration, 'account');
  const configured = await configureBy(call, { owner: id, version: null }, declared, body.configuration ?? {});
  const { _id, name, version, scopes } = integration;
  const set = [...(configured?.set ?? [])];
  const installed = {
    installation: id,
    integration: _id,
    name,
    version,
    grantedScopes: [...scopes],
    spaceSelection: space_selection,
    siteSelection: site_selection,
    configuration: configured?.configuration ?? null,
    set,
    externalIds: [...externalIds],
    status: installationStatus(
      { granted: scopes, set },
      { scopes, required: requiredIn(integration.configurations.account) },
    ),
  };
  const limit = call.limits.installationsPerOrganization;
  await call.store.in(organization).handle(roster, organization, (state) => install(state, { ...installed, limit }));
  return id;
}

/**
 * Refuses selections that do not fit the integration, and `all` for who is no admin.
 * @throws AppError `invalid_request`, `forbidden`
 */
export function requireSelections(target: IntegrationTarget, role: MemberRole | null, wanted: Selections): void {
  for (const [field, one] of [
    ['space_selection', 'space'],
    ['site_selection', 'site'],
  ] as const) {
    if (wanted[field] !== 'all') continue;
    if (!takes(target, one)) throw invalid(`body.${field}`, `The integration is not installed on ${one}s`);
    if (role !== 'admin') throw lacksLevel('admin', 'organization', `body.${field}`);
  }
}

/** Whether an integration is installed on spaces, or on sites. */
export function takes(target: IntegrationTarget, kind: 'space' | 'site'): boolean {
  return target === 'all' || target === kind;
}

async function requireInstaller(call: Call, access: ServiceAccess, organization: string): Promise<MemberRole | null> {
  const field = 'body.organization';
  const place = await access.placeIn(call, organization, call.principal);
  if (place === null) throw blaming('not_found', field, 'There is no such organization, or you may not see it');
  if (place.withoutSSO) throw new AppError('sso_required');
  if (!roleAtLeast(place.role, 'create')) throw lacksLevel('create', 'organization', field);
  return place.role;
}
