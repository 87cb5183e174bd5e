import { setTimeout as delay } from 'node:timers/promises';
import {
  AppError,
  type InstallationPrincipal,
  type InstallationStatus,
  type IntegrationScope,
  type ResourceAccess,
} from '@scriptorium/contracts';
import { installationReach, reachedSince, type InstallationReachDocument } from './installation-reach.projection.js';
import { installationStatus } from './installation-status.js';
import { integrationReach, type IntegrationReachDocument } from './integration-reach.projection.js';
import type { Reads } from './access.js';
import { type Level } from './level.js';
import { type Place } from './place.js';

/** The read models that are made from events of integrations. */
export const reachReadModels = [installationReach, integrationReach] as const;

/** What an installation reaches now. */
export interface InstallationReach {
  installation: string;
  integration: string;
  organization: string;
  status: InstallationStatus;
  /** What it may do. Nothing while it is not active. */
  scopes: readonly IntegrationScope[];
  /** Whether it reaches a space or site of its organization. */
  reaches(target: { kind: 'space' | 'site'; id: string }): boolean;
}

const [longestMs, againMs] = [1_000, 25];

/**
 * What the installation of a token reaches. The gateway has verified the token against the log, so a read model that
 * does not have the installation yet, or not in that generation, is waited for: up to 1 s.
 * @throws AppError `unauthenticated` when the token has ended
 */
export async function findReach(reads: Reads, principal: InstallationPrincipal): Promise<InstallationReach> {
  for (let waited = 0; ; waited += againMs) {
    const [installation, integration] = await Promise.all([
      reads.read(installationReach).byId(principal.id),
      reads.read(integrationReach).byId(principal.installation.integration),
    ]);
    const found = tokenGeneration(installation, integration);
    if (found > principal.installation.generation || (found < 0 && waited >= longestMs)) break;
    if (installation !== null && integration !== null && found === principal.installation.generation)
      return reachOf(principal.id, installation, integration);
    if (waited >= longestMs) break;
    await delay(againMs);
  }
  throw new AppError('unauthenticated', [], { message: 'Invalid token' });
}

/** The generation of the tokens of an installation; `-1` when it is not there. */
export function tokenGeneration(
  installation: Pick<InstallationReachDocument, 'generation'> | null,
  integration: Pick<IntegrationReachDocument, 'generation'> | null,
): number {
  return installation === null || integration === null ? -1 : installation.generation + integration.generation;
}

function reachOf(
  id: string,
  installation: InstallationReachDocument,
  integration: IntegrationReachDocument,
): InstallationReach {
  const status = installationStatus(installation, integration);
  if (status === 'paused') throw new AppError('unauthenticated', [], { message: 'Invalid token' });
  return {
    installation: id,
    integration: installation.integration,
    organization: installation.organization,
    status,
    scopes: status === 'active' ? installation.granted.filter((scope) => integration.scopes.includes(scope)) : [],
    reaches: (target) => reachedSince(installation, target) !== null,
  };
}

/** An installation as a viewer of a space or site: a guest with the level that its scopes give. */
export interface InstallationViewer {
  place: Place;
  member: { user: string; membership: string; role: null; teams: readonly string[] };
  level: Level;
}

/**
 * An installation as a viewer of a space or site; `null` when it does not reach it, or is not active. What it may do
 * beyond its level is decided by the scopes in its place. Pure.
 */
export function viewerOfReach(
  reach: InstallationReach | null,
  { organization, ...target }: { kind: 'space' | 'site'; id: string; organization: string },
): InstallationViewer | null {
  if (reach?.status !== 'active' || reach.organization !== organization || !reach.reaches(target)) return null;
  const place = installationPlace(reach, organization);
  if (place === null) return null;
  const { user, membership } = place;
  return { place, member: { user, membership, role: null, teams: [] }, level: levelOf(target.kind, reach.scopes) };
}

/** The place of an active installation in its organization, in which it is no member; `null` in any other. Pure. */
export function installationPlace(reach: InstallationReach | null, organization: string): Place | null {
  if (reach?.status !== 'active' || reach.organization !== organization) return null;
  const { installation: user, scopes: granted } = reach;
  return { organization, user, membership: '', role: null, withoutSSO: false, granted };
}

function levelOf(kind: 'space' | 'site', scopes: readonly IntegrationScope[]): Level {
  if (kind === 'site') return scopes.includes('site:metadata:read') ? 'read' : null;
  if (scopes.includes('space:content:write')) return 'edit';
  return scopes.includes('space:content:read') ? 'read' : null;
}

/** The access of an installation to its organization itself. */
export function installationInOrganization(reach: InstallationReach | null, organization: string): ResourceAccess {
  if (reach?.status !== 'active' || reach.organization !== organization)
    return { parentVisible: true, exists: true, relations: new Set() };
  const { scopes: granted } = reach;
  return { parentVisible: true, exists: true, relations: new Set(['installation']), organization, granted };
}
