/**
 * Names of streams: `<namespace>.<service>.<entity>-<id>`. The first `-` ends the category, so namespace, service and
 * entity hold none; the id may.
 */
const word = /^[A-Za-z0-9_]+$/;

/** The name of one entity's stream. Throws a `RangeError` on parts that would make the name ambiguous. */
export function streamName(namespace: string, service: string, entity: string, id: string): string {
  if (id === '') throw new RangeError(`stream of ${service}.${entity} needs an id`);
  return `${streamPrefix(namespace, service, entity)}${id}`;
}

/** What all streams of an entity begin with; the server-side filter of a subscription. */
function streamPrefix(namespace: string, service: string, entity: string): string {
  for (const part of [namespace, service, entity]) {
    if (!word.test(part)) throw new RangeError(`"${part}" cannot be part of a stream's name`);
  }
  return `${namespace}.${service}.${entity}-`;
}

/** The prefix of an entity's streams: `team` of the given service, or `identity.team` said in full. */
export function entityPrefix(namespace: string, service: string, entity: string): string {
  const [first = '', second] = entity.split('.');
  return second === undefined ? streamPrefix(namespace, service, first) : streamPrefix(namespace, first, second);
}

/** The id within a stream's name: what follows the first `-`. */
export function entityIdOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}

/** What the names of all streams begin with that a service's projections consume. */
export function projectedPrefixes({
  namespace,
  service,
  projections,
}: {
  namespace: string;
  service: string;
  projections: readonly { entities: readonly string[] }[];
}): string[] {
  const entities = new Set(projections.flatMap(({ entities: names }) => names));
  return [...entities].map((entity) => entityPrefix(namespace, service, entity));
}
