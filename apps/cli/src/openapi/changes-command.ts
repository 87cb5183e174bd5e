import type { OpenAPISpecChange } from '@scriptorium/contracts';
import { exitCodes } from '../exit-codes.js';
import { explain } from '../installation/explain.js';
import { StopError } from '../stop-error.js';
import { placeOf, type CommandInput } from './place.js';

/**
 * `scriptorium openapi changes`: prints what the newest version changes.
 * @throws ConfigError for an invalid setting; StopError when there is no installation, when it refuses, and when
 * something can break clients
 */
export async function changesCommand(input: CommandInput & { slug: string; from?: string }): Promise<void> {
  const { slug, from } = input;
  const { client, organizationId } = await placeOf(input);
  const params = { organizationId, specSlug: slug };
  const { id: versionId } = await client.getLatestOpenAPISpecVersion({ params }).catch(explain);
  const query = from === undefined ? {} : { from };
  const changes = await client
    .listOpenAPISpecVersionChanges({ params: { ...params, versionId }, query })
    .catch(explain);
  const lines = changes.items.map((change) => `${lineOf(change)}\n`).join('');
  input.answer(changes, `${lines}${changes.count} changes, ${changes.breaking} of them can break clients\n`);
  if (changes.breaking > 0)
    throw new StopError(`${changes.breaking} changes can break clients`, undefined, exitCodes.breaking);
}

function lineOf({ kind, change, breaking, method, path, name, what }: OpenAPISpecChange): string {
  const of = [method?.toUpperCase(), path, name].filter((part) => part !== undefined).join(' ');
  const details = what.length === 0 ? '' : `: ${what.join('; ')}`;
  return `${breaking ? 'breaking ' : ''}${change} ${kind} ${of}${details}`;
}
