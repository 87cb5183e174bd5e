import { join } from 'node:path';
import { startEventStoreServer } from '@scriptorium/embedded/eventstore';
import { startMongoServer } from '@scriptorium/embedded/mongodb';

const folder = process.argv[2];
const eventstore = await startEventStoreServer({ dataDir: join(folder, 'eventstore') });
const mongo = await startMongoServer({ dataDir: join(folder, 'mongo') });
process.on('message', async () => {
  await eventstore.stop();
  await mongo.stop();
  process.exit(0);
});
process.send({ eventstoreUrl: eventstore.url, mongoUrl: mongo.url });
