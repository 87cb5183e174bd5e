import {
  AppError,
  callOperation,
  services,
  type ClientOptions,
  type OperatorOperations,
  type ResultOf,
} from '@scriptorium/contracts';
import type { CommandContext } from '../command-line/context.js';
import { whileWorking } from '../command-line/progress.js';
import { addressOf } from '../installation/address.js';
import { StopError } from '../stop-error.js';

export interface RebuildInput extends CommandContext {
  service: string;
  /** The collection of one projection; absent for all projections of the service. */
  projection: string | undefined;
}

/** The operators' operations by service. */
const operators: Readonly<Record<string, OperatorOperations>> = Object.fromEntries(
  services.map(({ name, operator }) => [name, operator]),
);

const withinMs = 600_000;

type Rebuild = ResultOf<OperatorOperations['rebuild']>;

/**
 * `scriptorium rebuild`: builds projections again from the first event beside the live ones, in the running
 * installation, and shows both content hashes in one line for each.
 * @throws ConfigError for an invalid setting; StopError for an unknown service or projection, when there is no token,
 * when the installation refuses or does not answer, and at the end when hashes differ
 */
export async function rebuildCommand(input: RebuildInput): Promise<void> {
  const { service, projection, environment, screen, answer } = input;
  const operations = Object.hasOwn(operators, service) ? operators[service] : undefined;
  if (operations === undefined)
    throw new StopError(`there is no service ${service}; there are ${Object.keys(operators).join(', ')}`);
  const client = { ...(await addressOf(environment)), timeoutMs: withinMs };
  const names = projection === undefined ? await projectionsOf(client, operations) : [projection];
  const different: string[] = [];
  for (const name of names) {
    const rebuild = () => callOperation(client, operations.rebuild, { params: { projection: name } });
    const result = await whileWorking(screen, `rebuilding ${name}`, () => asked(rebuild, name));
    answer(result, `${line(result)}\n`);
    if (!result.equal) different.push(name);
  }
  if (different.length > 0) throw new StopError(`differs from its rebuild: ${different.join(', ')}`);
}

async function projectionsOf(client: ClientOptions, { consumers }: OperatorOperations): Promise<string[]> {
  const { items } = await asked(() => callOperation(client, consumers, { query: { limit: 1000 } }), 'projections');
  return items.filter(({ kind }) => kind === 'projection').map(({ name }) => name);
}

async function asked<T>(call: () => Promise<T>, what: string): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const why =
      error instanceof AppError || (error instanceof Error && error.name === 'TimeoutError')
        ? error.message
        : 'the installation does not answer';
    throw new StopError(`${what}: ${why}`, error);
  }
}

function line({ projection, live, rebuilt, equal, changing, events, ms }: Rebuild): string {
  const verdict = equal ? 'equal' : 'DIFFERENT';
  const moving = changing === 0 ? '' : `, ${changing} changed meanwhile and were left out`;
  return `${projection}: ${verdict}\n  live    ${live.hash} (${live.documents} documents)\n  rebuilt ${rebuilt.hash} (${rebuilt.documents} documents, ${events} events, ${Math.round(ms)} ms${moving})`;
}
