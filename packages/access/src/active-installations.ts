import type { IntegrationScope } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Reads } from './access.js';
import { installationReach, reachedSince, type InstallationReachDocument } from './installation-reach.projection.js';
import { installationStatus } from './installation-status.js';
import { integrationReach, type IntegrationReachDocument } from './integration-reach.projection.js';

/** An installation, and what it has installed. */
export interface InstalledIntegration {
  id: string;
  reach: InstallationReachDocument;
  integration: IntegrationReachDocument;
}

/** What an installation needs for something: a scope, on a space or site. */
export interface InstallationNeed {
  scope: IntegrationScope;
  target: { kind: 'space' | 'site'; id: string };
}

/** The installations of an organization; with `scope`, those that were granted it. */
export async function installedIntegrations(
  reads: Reads,
  organization: string,
  scope?: IntegrationScope,
): Promise<InstalledIntegration[]> {
  const filter = { organization, ...(scope === undefined ? {} : { granted: scope }) };
  const all = await reads.read(installationReach).find(filter).toArray();
  const ids = [...new Set(all.map(({ integration }) => integration))];
  const known = new Map((await reads.read(integrationReach).byIds(ids)).map((one) => [one._id, one]));
  return all.flatMap((reach) => {
    const integration = known.get(reach.integration);
    return integration === undefined ? [] : [installed(reach, integration)];
  });
}

/** One installation, with what it has installed; `null` when it is not there. */
export async function findInstalled(reads: Reads, id: string): Promise<InstalledIntegration | null> {
  const reach = await reads.read(installationReach).byId(id);
  const integration = reach && (await reads.read(integrationReach).byId(reach.integration));
  return reach && integration && installed(reach, integration);
}

function installed(
  { _id: id, ...reach }: Stored<InstallationReachDocument>,
  integration: IntegrationReachDocument,
): InstalledIntegration {
  return { id, reach, integration };
}

/** The installations of an organization that are active, have the scope, and reach the space or site. */
export async function activeInstallations(
  reads: Reads,
  organization: string,
  need: InstallationNeed,
): Promise<InstalledIntegration[]> {
  return (await installedIntegrations(reads, organization, need.scope)).filter((one) => isActiveFor(one, need));
}

/** Whether an installation is active, has a scope, and reaches a space or site. Pure. */
export function isActiveFor(one: InstalledIntegration, need: InstallationNeed): boolean {
  return activeSince(one, need) !== null;
}

/** The position in the log from which an active installation does that; `null` when it does not. Pure. */
export function activeSince(one: InstalledIntegration, need: InstallationNeed): number | null {
  return installationStatus(one.reach, one.integration) === 'active' ? allowedSince(one, need) : null;
}

/** The same of an installation that may wait for something, or be paused. Pure. */
export function allowedSince(
  { reach, integration }: InstalledIntegration,
  { scope, target }: InstallationNeed,
): number | null {
  const isGranted = reach.granted.includes(scope) && integration.scopes.includes(scope);
  return isGranted ? reachedSince(reach, target) : null;
}
