import { sealedTexts } from '@scriptorium/platform';

/** Secrets of integrations, by the integration. */
export const secrets = sealedTexts({ collection: 'op_secrets', owner: 'integration' });

/** Tasks that have not ended, by the integration. */
export const tasks = sealedTexts({ collection: 'op_tasks', owner: 'integration' });

/**
 * Values of configurations, by the installation. Parts: `account`, and `space-<id>` and `site-<id>`, so that those of a
 * space can be removed with it.
 */
export const configurations = sealedTexts({ collection: 'op_configurations', owner: 'installation' });

/** The part of the configuration of a space or site. */
export function partOf(target: { kind: 'space' | 'site'; id: string } | undefined): string {
  return target === undefined ? 'account' : `${target.kind}-${target.id}`;
}
