import { installedIntegrations, isActiveFor } from '@scriptorium/access';
import { visitScopes, type Visit } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';

/** Whether anybody is told of visits of a site. */
export type HasReceiver = (site: string, type: Visit['type']) => boolean;

/** Whether active installations of an organization are told what visitors do on its sites. */
export async function receiversIn({ store }: Pick<Scope, 'store'>, organization: string): Promise<HasReceiver> {
  const installed = await installedIntegrations(store, organization);
  return (site, type) => {
    const need = { scope: visitScopes[type], target: { kind: 'site', id: site } } as const;
    return installed.some((one) => isActiveFor(one, need));
  };
}
