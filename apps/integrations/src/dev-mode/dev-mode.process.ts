import { blaming, type DevModeEnding, type IntegrationVisibility } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import type { Scope, ServiceContext } from '@scriptorium/platform';
import {
  devModeIn,
  enableDevMode,
  endDevMode,
  integration as integrationOf,
  type StoredIntegration,
} from '../publishing/index.js';
import { endDevModeCommand } from './end-dev-mode.timer.js';
import { dropTunnel, findTunnel, keepTunnel, type Tunnel } from './tunnel.operational.js';
import { devModes, type DevModeDocument } from './dev-mode.projection.js';
import { isLocalApi, isOfThisMachine, requireTunnelAddress } from './tunnel-address.js';

export interface Wanted {
  tunnelUrl: string;
  all: boolean;
  byOperator: boolean;
}

const lastsMs = 24 * 3_600_000;

/**
 * What would be sent to the script goes to its developer for 24 hours.
 * @throws AppError `invalid_request` for an address that is refused; `forbidden` for `all` where others may install it;
 * `conflict` for another address at the very same moment
 */
export async function beginDevMode(
  scope: Pick<Scope, 'store' | 'database' | 'keys' | 'now' | 'urls' | 'outbound'>,
  integration: StoredIntegration,
  { tunnelUrl, all, byOperator }: Wanted,
): Promise<void> {
  requireTunnelAddress(tunnelUrl, isLocalApi(scope.urls.api));
  if (!isOfThisMachine(new URL(tunnelUrl))) scope.outbound.check(tunnelUrl, 'body.tunnelUrl');
  // The developer would get tokens of other organizations.
  if (all && !byOperator && integration.visibility !== 'private')
    throw blaming('forbidden', 'body.all', 'Only for a private integration, unless an operator does it');
  const { _id: id, organization } = integration;
  const until = new Date(scope.now() + lastsMs).toISOString();
  const store = scope.store.in(organization);
  if (!store.dry) await keepTunnel(scope, id, until, { url: tunnelUrl, byOperator });
  let replaced: string | null = null;
  await store.handle(integrationOf, id, (state) => {
    replaced = devModeIn(state);
    return enableDevMode(state, { all, until });
  });
  // Of two that begin at once, each has its own address, and removes that of the one that it follows.
  if (!store.dry && replaced !== until) await dropTunnel(scope, id, replaced);
  await store.schedule({
    id: `${endDevModeCommand}:${id}:${until}`,
    at: Date.parse(until),
    command: endDevModeCommand,
    data: { integration: id, until },
  });
}

/** Ends the development mode of an integration; whether there was one. `of`: only that which was to last until then. */
export async function leaveDevMode(
  { store, database }: { store: StoreScope; database: ServiceContext['database'] },
  id: string,
  ending: { reason: DevModeEnding; of?: string | undefined },
): Promise<boolean> {
  let ended: string | null = null;
  const { events } = await store.handle(integrationOf, id, (state) => {
    ended = devModeIn(state);
    return endDevMode(state, ending);
  });
  if (events.length > 0 && !store.dry) await dropTunnel({ database }, id, ended);
  return events.length > 0;
}

/** The development mode that an integration is in. */
export async function findDevMode(
  { store, now }: Pick<Scope, 'store' | 'now'>,
  integration: string,
): Promise<DevModeDocument | undefined> {
  const mode = await store.read(devModes).byId(integration);
  if (mode === null || Date.parse(mode.until) <= now()) return undefined;
  return { all: mode.all, until: mode.until };
}

/**
 * The address that gets what is for installations of an organization; `undefined` when the script does. Without an
 * organization: what is for no installation, such as a request to the address of the integration as such. Anybody may
 * have sent that, so it is the developer's only where all of it is: of a private integration, or with `all`.
 */
export async function tunnelFor(
  scope: Pick<Scope, 'store' | 'database' | 'keys' | 'now'>,
  integration: Pick<StoredIntegration, '_id' | 'organization' | 'visibility'>,
  organization: string | null,
): Promise<(Tunnel & { until: string }) | undefined> {
  const mode = await findDevMode(scope, integration._id);
  if (mode === undefined) return undefined;
  const tunnel = await findTunnel(scope, integration._id, mode.until);
  if (tunnel === undefined) return undefined;
  const isOwn = organization === integration.organization;
  const isOfOwnerAlone = organization === null && integration.visibility === 'private';
  if (!isOwn && !isOfOwnerAlone && !(mode.all && mayHaveAll(integration.visibility, tunnel))) return undefined;
  return { ...tunnel, until: mode.until };
}

/** Whether a developer answers in the place of the script. What the script has answered is not shown meanwhile. */
export async function isDeveloped(...of: Parameters<typeof tunnelFor>): Promise<boolean> {
  return (await tunnelFor(...of)) !== undefined;
}

/** It may have become public since. */
function mayHaveAll(visibility: IntegrationVisibility, { byOperator }: Tunnel): boolean {
  return byOperator || visibility === 'private';
}

/** Whether any integration is in development mode. */
export async function anyDevMode({ store }: Pick<Scope, 'store'>): Promise<boolean> {
  return (await store.read(devModes).findOne({})) !== null;
}
