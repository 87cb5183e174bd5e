import * as z from 'zod';
import { Id } from '../kernel/common.js';
import { internalOperation } from '../kernel/operation.js';
import { IntegrationScopeWord } from './integration.js';

/**
 * An icon or a preview of an integration, for the gateway, which shows it to anybody. `hash`: SHA-256 of the bytes.
 * Refusals: `not_found`.
 */
export const readIntegrationImage = internalOperation({
  id: 'readIntegrationImage',
  service: 'integrations',
  input: z.object({ integration: Id, hash: z.string().regex(/^[0-9a-f]{64}$/) }),
  response: z.object({ type: z.enum(['image/png', 'image/jpeg', 'image/webp']), base64: z.string() }),
});

/** What a token of an integration, or of an installation of it, says. `generation`: earlier ones are refused. */
export const IntegrationTokenPayload = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('integration'), integration: Id, generation: z.int().min(0) }),
  z.object({
    kind: z.literal('installation'),
    integration: Id,
    installation: Id,
    organization: Id,
    generation: z.int().min(0),
  }),
]);
export type IntegrationTokenPayload = z.output<typeof IntegrationTokenPayload>;

/**
 * Whether a token of an integration still holds: the gateway has verified that it was issued here and has not ended.
 * `holds`: `null` when it does not. `scopes`: what the installation may do now. `organizations`: those that
 * announcements name when that changes.
 */
export const authenticateIntegrationToken = internalOperation({
  id: 'authenticateIntegrationToken',
  service: 'integrations',
  input: IntegrationTokenPayload,
  response: z.object({
    holds: z.object({ scopes: z.array(IntegrationScopeWord), organizations: z.array(Id) }).nullable(),
  }),
});
