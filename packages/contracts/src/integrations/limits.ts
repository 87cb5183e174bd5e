import type { LimitDeclaration } from '../kernel/limits.js';

/** What can grow in integrations. */
export const integrationLimits = {
  integrationsPerOrganization: { preset: 100, of: 'integrations that an organization publishes', most: 1_000 },
  installationsPerOrganization: { preset: 200, of: 'integrations that are installed in an organization', most: 1_000 },
} as const satisfies Readonly<Record<string, LimitDeclaration>>;
