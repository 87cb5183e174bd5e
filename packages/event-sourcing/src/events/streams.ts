/**
 * Names of streams: `<namespace>.<service>.<entity>-<id>`. The first `-` ends the category, so namespace, service and
 * entity contain none. The id may.
 */
const word = /^[A-Za-z0-9_]+$/;

/**
 * The name of the stream of one entity.
 * @throws RangeError when a part would make the name ambiguous
 */
export function streamName(namespace: string, service: string, entity: string, id: string): string {
  if (id === '') throw new RangeError(`stream of ${service}.${entity} needs an id`);
  return `${streamPrefix(namespace, service, entity)}${id}`;
}

/** The name of one stream of an aggregate. */
export function streamOf(namespace: string, aggregate: { service: string; entity: string }, id: string): string {
  return streamName(namespace, aggregate.service, aggregate.entity, id);
}

/** The beginning of the names of all streams of an entity, which is the filter of subscriptions on the server. */
function streamPrefix(namespace: string, service: string, entity: string): string {
  for (const part of [namespace, service, entity]) {
    if (!word.test(part)) throw new RangeError(`"${part}" cannot be part of a stream's name`);
  }
  return `${namespace}.${service}.${entity}-`;
}

/** The prefix of an entity's streams. `entity` is `team` for this service, or `identity.team`. */
export function entityPrefix(namespace: string, service: string, entity: string): string {
  const [first = '', second] = entity.split('.');
  return second === undefined ? streamPrefix(namespace, service, first) : streamPrefix(namespace, first, second);
}

/** The id in the name of a stream: the text after the first `-`. */
export function entityIdOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}

/** The prefixes of all streams that some projections or reactors of a service consume. */
export function consumedPrefixes(
  { namespace, service }: { namespace: string; service: string },
  consumers: readonly { entities: readonly string[] }[],
): string[] {
  const entities = new Set(consumers.flatMap((consumer) => consumer.entities));
  return [...entities].map((entity) => entityPrefix(namespace, service, entity));
}
