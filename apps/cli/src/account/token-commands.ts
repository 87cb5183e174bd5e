import { createClient, scopes, type Scope } from '@scriptorium/contracts';
import type { CommandContext } from '../command-line/context.js';
import { everyItem } from '../command-line/every-item.js';
import { momentOf } from '../command-line/moment.js';
import { addressOf } from '../installation/address.js';
import { explain } from '../installation/explain.js';
import { StopError } from '../stop-error.js';

/** The options of the command that creates a token. */
export interface TokenOptions {
  expires?: string;
  scopes?: string;
}

interface NewTokenInput extends CommandContext, TokenOptions {
  label: string;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * `scriptorium token create`: prints a new token, and nothing else, on standard output.
 * @throws ConfigError for an invalid setting; StopError for an invalid option, when there is no installation, or it
 * refuses
 */
export async function createTokenCommand(input: NewTokenInput): Promise<void> {
  const body = {
    label: input.label,
    ...(input.expires !== undefined && { expiresAt: endOf(input.expires, input.now) }),
    ...(input.scopes !== undefined && { scopes: scopesOf(input.scopes) }),
  };
  const client = createClient(await addressOf(input.environment));
  const made = await client.createUserToken({ body }).catch(explain);
  if (made.token === undefined)
    throw new StopError(`the token ${made.id} was created, but its answer was lost; revoke it, and create another one`);
  input.answer(made, `${made.token}\n`);
}

/** The time when a token ends. @throws StopError for what is no time, and for what is over */
function endOf(text: string, now: number): string {
  const end = momentOf({ option: '--expires', text, now, direction: 'ahead' });
  if (Date.parse(end) <= now) throw new StopError('--expires must be in the future');
  return end;
}

function scopesOf(text: string): Scope[] {
  const known: readonly string[] = scopes;
  const named = text.split(',').map((one) => one.trim());
  const unknown = named.find((one) => !known.includes(one));
  if (unknown !== undefined) throw new StopError(`--scopes: there is no ${unknown}; there are ${scopes.join(', ')}`);
  return named as Scope[];
}

/** `scriptorium token list`: one line for each token; the tokens themselves are not kept anywhere. */
export async function listTokensCommand({ environment, answer }: CommandContext): Promise<void> {
  const client = createClient(await addressOf(environment));
  const read = (cursor: { page?: string }) =>
    client.listUserTokens({ query: { limit: 100, ...cursor } }).catch(explain);
  for await (const token of everyItem(read)) {
    const { id, createdAt, lastUsedAt = '-', expiresAt = '-', scopes: allowed, label } = token;
    answer(token, `${[id, createdAt, lastUsedAt, expiresAt, allowed?.join(',') ?? '-', label].join('\t')}\n`);
  }
}

/** `scriptorium token revoke`: the token does not work any more. */
export async function revokeTokenCommand({ id, environment, answer }: CommandContext & { id: string }): Promise<void> {
  const client = createClient(await addressOf(environment));
  const isRevoked = await client.deleteUserToken({ params: { tokenId: id } }).catch(explain);
  // Whoever revokes a token that was leaked must not take a slip of the pen for success.
  if (!isRevoked) throw new StopError(`there is no token ${id}`);
  answer({ id, revoked: true }, `Revoked ${id}\n`);
}
