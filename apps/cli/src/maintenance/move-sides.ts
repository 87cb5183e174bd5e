import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startEventStoreServer } from '@scriptorium/embedded/eventstore';
import { startMongoServer } from '@scriptorium/embedded/mongodb';
import type { DataServers } from '@scriptorium/event-sourcing';
import { StopError } from '../stop-error.js';

const forms = {
  eventstore: /^(esdb|kurrent|kurrentdb|kdb)(\+discover)?:\/\//,
  mongodb: /^mongodb(\+srv)?:\/\//,
  nats: /^(nats|tls):\/\//,
};

/**
 * The real servers that an option names; one without addresses means those of the environment. NATS keeps nothing, and
 * may be named all the same.
 * @throws StopError when one is missing, named twice, or of another kind
 */
export function serversOf(
  urls: readonly string[] | true,
  option: string,
  { EVENTSTORE_URL, MONGODB_URL }: { EVENTSTORE_URL?: string | undefined; MONGODB_URL?: string | undefined },
): DataServers {
  const given = urls === true ? [EVENTSTORE_URL, MONGODB_URL].filter((url) => url !== undefined) : urls;
  const [eventstore, ...moreLogs] = given.filter((url) => forms.eventstore.test(url));
  const [mongodb, ...moreDatabases] = given.filter((url) => forms.mongodb.test(url));
  const isOther = given.some((url) => !Object.values(forms).some((form) => form.test(url)));
  if (eventstore === undefined || mongodb === undefined || isOther || moreLogs.length + moreDatabases.length > 0)
    throw new StopError(
      `${option} takes one address that begins with esdb:// and one with mongodb://; without any, EVENTSTORE_URL and MONGODB_URL have to be set`,
    );
  return { eventstore, mongodb };
}

/** @throws StopError when the folder does not have the data of both embedded servers */
export function requireEmbedded(path: string): void {
  for (const name of ['eventstore', 'mongodb'])
    if (!existsSync(join(path, name)))
      throw new StopError(`there is nothing to move in ${path}: it has no folder ${name} of an embedded server`);
}

/** Starts the embedded servers of a data folder, which nobody else may use, until `work` has ended. */
export async function withEmbedded(path: string, work: (servers: DataServers) => Promise<void>): Promise<void> {
  const eventstore = await startEventStoreServer({ dataDir: join(path, 'eventstore') });
  try {
    const mongodb = await startMongoServer({ dataDir: join(path, 'mongodb') });
    try {
      await work({ eventstore: eventstore.url, mongodb: mongodb.url });
    } finally {
      await mongodb.stop();
    }
  } finally {
    await eventstore.stop();
  }
}
