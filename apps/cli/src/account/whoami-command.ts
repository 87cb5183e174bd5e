import { createClient } from '@scriptorium/contracts';
import type { CommandContext } from '../command-line/context.js';
import { linesOf } from '../command-line/lines.js';
import { addressOf } from '../installation/address.js';
import { explain } from '../installation/explain.js';

/**
 * `scriptorium whoami`: whose token is used.
 * @throws ConfigError for an invalid setting; StopError when there is no installation, or it refuses
 */
export async function whoamiCommand({ environment, answer }: CommandContext): Promise<void> {
  const address = await addressOf(environment);
  const user = await createClient(address).getAuthenticatedUser().catch(explain);
  const { id, displayName, email } = user;
  answer({ ...user, installation: address.endpoint }, linesOf({ id, name: displayName, email, at: address.endpoint }));
}
