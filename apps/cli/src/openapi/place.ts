import { createClient, type Client } from '@scriptorium/contracts';
import type { CommandContext } from '../command-line/context.js';
import { addressOf } from '../installation/address.js';
import { explain } from '../installation/explain.js';
import { StopError } from '../stop-error.js';

/** What all commands get. */
export interface CommandInput extends CommandContext {
  organization?: string;
}

/** An organization of a running installation. */
export interface OrganizationPlace {
  client: Client;
  organizationId: string;
}

/**
 * The organization that a command is about.
 * @throws ConfigError for an invalid setting; StopError when there is no installation, or it must be named
 */
export async function placeOf({
  organization,
  environment,
}: Pick<CommandInput, 'organization' | 'environment'>): Promise<OrganizationPlace> {
  const client = createClient(await addressOf(environment));
  if (organization !== undefined) return { client, organizationId: organization };
  const { items } = await client.listOrganizationsForAuthenticatedUser({ query: { limit: 2 } }).catch(explain);
  const [only, ...others] = items;
  if (only === undefined) throw new StopError('the token has no organization');
  if (others.length > 0) throw new StopError('the token has several organizations: name one with --organization');
  return { client, organizationId: only.id };
}
