import { readBootstrapSettings } from '../settings.js';
import { StopError } from '../stop-error.js';
import { bootstrap } from './installation-client.js';
import { newToken } from './new-token.js';

const withinMs = 60_000;

/**
 * `scriptorium bootstrap`: creates the first user, organization and token of an installation with servers of its own.
 * The token is written to standard output, once.
 * @throws StopError when the installation has its first user
 */
export async function bootstrapCommand(environment: NodeJS.ProcessEnv): Promise<void> {
  const settings = readBootstrapSettings(environment);
  const token = newToken();
  process.stderr.write('scriptorium: waiting for identity\n');
  const created = await bootstrap(settings, token, { withinMs });
  if (created === undefined) throw new StopError('this installation has its first user; no token was made');
  process.stderr.write(
    `scriptorium: created ${settings.FIRST_USER_EMAIL} and ${settings.FIRST_ORGANIZATION_TITLE}; the token is shown once\n`,
  );
  process.stdout.write(`${token}\n`);
}
