import type { ServiceAccess } from '@scriptorium/access';
import { organizationAccess, type Place } from '@scriptorium/access';
import { AppError, type Principal, type ResourceAccess } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { integrations, type StoredIntegration } from '../publishing/index.js';
import { installations, type InstallationDocument } from './installation.projection.js';
import { accessOfIntegration, isOfIntegration } from './integration-caller.queries.js';

export type StoredInstallation = Stored<InstallationDocument>;

/** An installation, and what is installed. */
export interface FoundInstallation {
  installation: StoredInstallation;
  integration: StoredIntegration;
}

/** What names an installation in a path. */
export interface InstallationParams {
  integrationName?: string;
  installationId?: string;
}

/** An installation of an integration by its name; `null` when there is none. */
export async function findInstallation(
  { store }: Pick<Scope, 'store'>,
  { integrationName, installationId = '' }: InstallationParams,
): Promise<FoundInstallation | null> {
  const installation = await store.read(installations).byId(installationId);
  if (installation === null || installation.isEnding || installation.name !== integrationName) return null;
  const integration = await store.read(integrations).byId(installation.integration);
  return integration === null ? null : { installation, integration };
}

/** The same. @throws AppError `not_found` */
export async function requireInstallation(
  scope: Pick<Scope, 'store'>,
  params: InstallationParams,
): Promise<FoundInstallation> {
  const found = await findInstallation(scope, params);
  if (found === null) throw new AppError('not_found');
  return found;
}

/** Access to an installation: members of its organization have their roles, and its integration reaches it. */
export async function accessToInstallation(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  params: InstallationParams,
): Promise<ResourceAccess> {
  const found = await findInstallation(scope, params);
  if (found === null) return { ...organizationAccess(null), exists: false };
  if (isOfIntegration(principal)) return accessOfIntegration(scope, access, principal, found.installation);
  const { organization } = found.installation;
  const member = organizationAccess(await access.placeIn(scope, organization, principal));
  if (!principal.operator) return member;
  return { ...member, organization, relations: new Set([...member.relations, 'operator']) };
}

/** What an organization has installed. */
export async function installedIn(
  { store }: Pick<Scope, 'store'>,
  organization: string,
): Promise<StoredInstallation[]> {
  return store.read(installations).find({ organization, isEnding: false }).sort({ createdAt: -1, _id: -1 }).toArray();
}

/** The place of the caller of an operation in an organization. @throws AppError `not_found` */
export async function requirePlace(
  scope: Scope,
  access: ServiceAccess,
  organization: string,
  caller: Principal,
): Promise<Place> {
  const place = await access.placeIn(scope, organization, caller);
  if (place === null) throw new AppError('not_found');
  return place;
}
