import type { Operation } from '@scriptorium/contracts';
import type { AnyProjection, EventTable } from '@scriptorium/event-sourcing';
import * as z from 'zod';

/** The schemas of events by type, each as the text of its JSON Schema. */
export function shapesOfEvents({ schemas }: Pick<EventTable, 'schemas'>): Record<string, string> {
  const shapes = Object.entries(schemas).map(([type, schema]) => [
    type,
    JSON.stringify(z.toJSONSchema(schema, { io: 'output' })),
  ]);
  return Object.fromEntries(shapes) as Record<string, string>;
}

/** The types of events and the indexes of the projections of a service, by the collection that names their version. */
export function shapesOfProjections({
  domains,
}: {
  domains: readonly { projections?: readonly AnyProjection[] | undefined }[];
}): Record<string, string> {
  const projections = domains.flatMap(({ projections: some = [] }) => [...some]);
  return Object.fromEntries(
    projections.map(({ collection, types, indexes }) => [
      collection,
      `${[...types].join()} ${JSON.stringify(indexes)}`,
    ]),
  );
}

/** What clients rely on of the operations of a service, by id: route, access rule, refusals and input. */
export function shapesOfOperations({
  operations,
}: {
  operations: Readonly<Record<string, Operation>>;
}): Record<string, object> {
  const shapes = Object.values(operations).map((op) => [
    op.id,
    {
      route: `${op.method} ${op.path} ${op.status}`,
      access: JSON.stringify(op.access),
      refusals: op.reasons.join(),
      input: JSON.stringify(z.toJSONSchema(z.object({ query: op.query, body: op.body ?? z.null() }), { io: 'input' })),
    },
  ]);
  return Object.fromEntries(shapes) as Record<string, object>;
}
