import { type Runtime } from './runtime.js';

/**
 * Deletes a stream for good, and what is cached of it. Other replicas forget the stream when they hear of it, and their
 * appends to it fail in any case. A snapshot must not outlive a death in between, and one that was being kept meanwhile
 * must not outlive the stream.
 */
export async function eraseStream(
  {
    events,
    cache,
    broadcast,
    namespace,
    service,
    snapshots,
  }: Pick<Runtime, 'events' | 'cache' | 'broadcast' | 'namespace' | 'service' | 'snapshots'>,
  stream: string,
): Promise<void> {
  await snapshots.purge(stream);
  await events.erase(stream);
  cache.delete(stream);
  broadcast.publish(`${namespace}.${service}.erased`, Buffer.from(stream));
  await snapshots.purge(stream);
}
