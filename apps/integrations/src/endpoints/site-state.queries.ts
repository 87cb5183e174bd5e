import { requiredIn, type ServiceAccess } from '@scriptorium/access';
import type { InstallationStatus, IntegrationScope, VisitorLoginState } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { entryKey, installations, statusOf, targetEntries, type FoundInstallation } from '../installations/index.js';
import { isThere } from '../places/index.js';
import { findByName } from '../publishing/index.js';
import { isSelected } from '../targets/index.js';

/** The installation of an integration in an organization; `null` when it is not installed there. */
export async function findInstalled(
  scope: Pick<Scope, 'store'>,
  organization: string,
  name: string,
): Promise<FoundInstallation | null> {
  const integration = await findByName(scope, name);
  if (integration === null) return null;
  const of = { organization, integration: integration._id, isEnding: false };
  const installation = await scope.store.read(installations).findOne(of);
  return installation === null ? null : { installation, integration };
}

/** Whether an installation can do what a scope is for on a site of its organization; or why not. */
export async function stateOnSite(
  scope: Scope,
  access: ServiceAccess,
  { found, site, needs }: { found: FoundInstallation; site: string; needs: IntegrationScope },
): Promise<VisitorLoginState> {
  const { installation, integration } = found;
  const target = { kind: 'site', id: site } as const;
  const isHere = isSelected(found, target) && (await isThere(scope, access, installation.organization, target));
  if (!isHere) return 'not_installed';
  if (!integration.scopes.includes(needs)) return 'scope_missing';
  const status = statusOf(found);
  return status === 'active' ? ready(await statusOnSite(scope, found, site)) : status;
}

function ready(status: InstallationStatus): VisitorLoginState {
  return status === 'active' ? 'ready' : status;
}

async function statusOnSite(
  { store }: Pick<Scope, 'store'>,
  { installation, integration }: FoundInstallation,
  id: string,
): Promise<InstallationStatus> {
  const entry = await store.read(targetEntries).byId(entryKey(installation._id, { kind: 'site', id }));
  const required = requiredIn(integration.configurations.site);
  return required.every((name) => entry?.set.includes(name)) ? 'active' : 'pending';
}
