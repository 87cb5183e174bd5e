import { describe, expect, it } from '@jest/globals';
import { contentContract } from '@scriptorium/contracts';
import * as z from 'zod';
import { branchEvents, collectionEvents, libraryEvents, spaceEvents } from '../events/index.js';
import { content } from '../service.js';

const tables = { library: libraryEvents, space: spaceEvents, collection: collectionEvents, branch: branchEvents };

/*
 * What is stored is forever. A change in these snapshots is allowed when it adds: a new event, a new field with a default.
 * A projection whose fingerprint changes gets a new version.
 */
describe('the catalogue of content', () => {
  it.each(Object.entries(tables))('has the events of %s', (_entity, table) => {
    const schemas = Object.entries(table.schemas).map(([type, schema]) => [
      type,
      JSON.stringify(z.toJSONSchema(schema as z.ZodType, { io: 'output' })),
    ]);
    expect(Object.fromEntries(schemas)).toMatchSnapshot();
  });

  it('has projections whose versions follow their code', () => {
    const projections = content.domains.flatMap(({ projections: some = [] }) => [...some]);
    expect(
      Object.fromEntries(
        projections.map(({ collection, types, indexes }) => [
          collection,
          `${[...types].join()} ${JSON.stringify(indexes)}`,
        ]),
      ),
    ).toMatchSnapshot();
  });

  it('has operations that stay as they were but for additions', () => {
    const operations = Object.values(contentContract.operations).map((op) => [
      op.id,
      {
        route: `${op.method} ${op.path} ${op.status}`,
        access: JSON.stringify(op.access),
        refusals: op.reasons.join(),
        input: JSON.stringify(
          z.toJSONSchema(z.object({ query: op.query, body: op.body ?? z.null() }), { io: 'input' }),
        ),
      },
    ]);
    expect(Object.fromEntries(operations)).toMatchSnapshot();
  });
});
