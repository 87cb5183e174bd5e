import type { ServiceAccess } from '@scriptorium/access';
import type { InstallationPrincipal, IntegrationPrincipal, Principal, ResourceAccess } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import type { InstallationDocument } from './installation.projection.js';

/** A caller with a token of an integration, or of an installation of it. */
export type InIntegration = IntegrationPrincipal | InstallationPrincipal;

/** Whether a caller acts for an integration. */
export function isOfIntegration(caller: Principal): caller is InIntegration {
  return caller.kind === 'integration' || caller.kind === 'installation';
}

/** Whether a caller is the integration that is installed, or the installation itself. */
export function isItself(caller: Principal, { _id: id, integration }: Stored<InstallationDocument>): boolean {
  return caller.kind === 'integration' ? caller.id === integration : caller.kind === 'installation' && caller.id === id;
}

/** The access of an integration to what is installed of it. An installation has access to itself alone. */
export async function accessOfIntegration(
  scope: Scope,
  access: ServiceAccess,
  caller: InIntegration,
  installation: Stored<InstallationDocument>,
): Promise<ResourceAccess> {
  if (!isItself(caller, installation)) return { parentVisible: true, exists: false, relations: new Set() };
  const granted = caller.kind === 'installation' ? (await access.reachOf(scope, caller))?.scopes : undefined;
  const { organization } = installation;
  return { parentVisible: true, exists: true, relations: new Set([caller.kind]), organization, granted };
}
