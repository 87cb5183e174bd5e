import { integrationReach, organizationAccess, type ServiceAccess } from '@scriptorium/access';
import type { InstallationPrincipal, Principal, ResourceAccess } from '@scriptorium/contracts';
import type { AccessResolvers, Scope } from '@scriptorium/platform';
import { findConversation } from './conversations.queries.js';
import { apiSource, integrationSource } from './source.js';

const hidden: ResourceAccess = { parentVisible: true, exists: false, relations: new Set() };

/** How access to a conversation is resolved: by the role, and for an installation by what it has sent itself. */
export function conversationsAccess(access: ServiceAccess): AccessResolvers {
  return {
    async conversation(scope, principal, { organizationId = '', conversationId = '' }) {
      const found = await findConversation(scope, { organizationId, conversationId });
      if (principal.kind !== 'installation') {
        const place = organizationAccess(await access.placeIn(scope, organizationId, principal));
        return { ...place, exists: found !== null };
      }
      const reach = await access.reachOf(scope, principal);
      const own = await sourceOf(scope, principal);
      if (reach?.status !== 'active' || reach.organization !== organizationId || found?.source !== own) return hidden;
      const relations = new Set(['installation'] as const);
      return { parentVisible: true, exists: true, relations, organization: organizationId, granted: reach.scopes };
    },
  };
}

/** The source of what a caller sends: callers cannot choose it. */
export async function sourceOf(scope: Pick<Scope, 'store'>, principal: Principal): Promise<string> {
  return principal.kind === 'installation' ? sourceOfInstallation(scope, principal) : apiSource;
}

async function sourceOfInstallation(
  { store }: Pick<Scope, 'store'>,
  { id, installation: { integration } }: InstallationPrincipal,
): Promise<string> {
  const published = await store.read(integrationReach).byId(integration);
  return integrationSource(published?.name ?? integration, id);
}
