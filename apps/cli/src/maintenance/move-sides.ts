import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startEventStoreServer } from '@scriptorium/embedded/eventstore';
import { startMongoServer } from '@scriptorium/embedded/mongodb';
import { faultOfEventStoreAddress, faultOfMongoAddress, type DataServers } from '@scriptorium/event-sourcing';
import { ConfigError } from '@scriptorium/platform/config';
import { StopError } from '../stop-error.js';

interface Product {
  name: string;
  setting: string;
  form: RegExp;
  /** What is wrong with an address of this form; undefined for nothing. */
  faultOf: (url: string) => string | undefined;
}

const eventStore: Product = {
  name: 'EventStoreDB',
  setting: 'EVENTSTORE_URL',
  form: /^(esdb|kurrent|kurrentdb|kdb)(\+discover)?:\/\//,
  faultOf: faultOfEventStoreAddress,
};
const mongo: Product = {
  name: 'MongoDB',
  setting: 'MONGODB_URL',
  form: /^mongodb(\+srv)?:\/\//,
  faultOf: faultOfMongoAddress,
};
const nats: Product = {
  name: 'NATS',
  setting: 'NATS_URL',
  form: /^(nats|tls):\/\//,
  faultOf: (url) => (URL.canParse(url) ? undefined : 'it has no host, or one that cannot be read'),
};

/**
 * The real servers that an option names; one without addresses means those of the environment. NATS keeps nothing, and
 * may be named all the same.
 * @throws StopError when one is missing, named twice, of another kind, or cannot be read; ConfigError when one of the
 * environment is missing or cannot be read
 */
export function serversOf(
  urls: readonly string[] | true,
  option: string,
  { EVENTSTORE_URL, MONGODB_URL }: { EVENTSTORE_URL?: string | undefined; MONGODB_URL?: string | undefined },
): DataServers {
  if (urls === true && (EVENTSTORE_URL === undefined || MONGODB_URL === undefined))
    throw new ConfigError(`${option} without addresses needs EVENTSTORE_URL and MONGODB_URL`);
  const given = urls === true ? [EVENTSTORE_URL, MONGODB_URL].filter((url) => url !== undefined) : urls;
  const [eventstore, ...moreLogs] = given.filter((url) => eventStore.form.test(url));
  const [mongodb, ...moreDatabases] = given.filter((url) => mongo.form.test(url));
  const isOther = given.some((url) => productOf(url) === undefined);
  if (eventstore === undefined || mongodb === undefined || isOther || moreLogs.length + moreDatabases.length > 0)
    throw new StopError(`${option} takes one address that begins with esdb:// and one with mongodb://`);
  for (const url of given) requireReadable(url, urls === true ? undefined : option);
  return { eventstore, mongodb };
}

function productOf(url: string): Product | undefined {
  return [eventStore, mongo, nats].find(({ form }) => form.test(url));
}

/** `option`: which has the address; undefined where a setting has it. */
function requireReadable(url: string, option: string | undefined): void {
  const product = productOf(url);
  const fault = product?.faultOf(url);
  if (product === undefined || fault === undefined) return;
  if (option === undefined) throw new ConfigError(`${product.setting}: ${fault}`);
  throw new StopError(`${option}: the address of ${product.name} is wrong: ${fault}`);
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
