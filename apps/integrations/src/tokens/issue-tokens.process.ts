import type { Scope } from '@scriptorium/platform';
import { issueIntegrationToken } from '@scriptorium/platform/integration-token';

type Issuing = Pick<Scope, 'keys' | 'now'>;

/** A token of an integration. `generation`: that of `integration_reach`. */
export function tokenOfIntegration(
  { keys, now }: Issuing,
  { integration, generation }: { integration: string; generation: number },
): string {
  return issueIntegrationToken(keys, { kind: 'integration', integration, generation }, now());
}

/** A token of an installation. `generation`: see `tokenGeneration`. */
export function tokenOfInstallation(
  { keys, now }: Issuing,
  token: { integration: string; installation: string; organization: string; generation: number },
): string {
  const { integration, installation, organization, generation } = token;
  const payload = { kind: 'installation', integration, installation, organization, generation } as const;
  return issueIntegrationToken(keys, payload, now());
}
