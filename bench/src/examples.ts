import { readFile, writeFile } from 'node:fs/promises';
import { operationList, type Operation, type OperationExample, type OperationExamples } from '@scriptorium/contracts';
import { runClients } from './clients/run.js';
import { choose, fits } from './examples/choose.js';
import { askFurther } from './examples/further.js';
import { startNameServer } from './examples/name-server.js';
import { askInOwn } from './examples/own.js';
import { startRecorder, type Recorder } from './examples/recorder.js';
import { askWithSession } from './examples/session.js';
import { sweep } from './examples/sweep.js';
import type { Product } from './product/product.js';
import { repositoryFile } from './processes/paths.js';
import { runWithCleanup } from './processes/run-with-cleanup.js';

// Writes the examples of the OpenAPI document: what the product answers when clients drive it.
const isWell = await runWithCleanup(async (cleanup) => {
  let started: { recorder: Recorder; product: Product } | undefined;
  const names = await startNameServer(cleanup);
  const record = async (product: Product): Promise<Product> => {
    const recorder = await startRecorder(cleanup, product.endpoint);
    started = { recorder, product };
    return { ...product, endpoint: recorder.endpoint };
  };
  await runClients(cleanup, record, { DNS_SERVERS: names.address, TRANSLATION_PROVIDER: 'pseudo' });
  const { recorder, product } = started ?? {};
  if (recorder !== undefined && product !== undefined) {
    for (const unanswered of await askFurther(recorder)) process.stderr.write(`${unanswered}\n`);
    for (const unanswered of await askInOwn(recorder, product, names)) process.stderr.write(`${unanswered}\n`);
    await askWithSession(recorder, product);
    await sweep(recorder);
  }
  const file = repositoryFile('apps/gateway/examples.json');
  const former = JSON.parse(await readFile(file, 'utf8')) as OperationExamples;
  const examples = operationList.flatMap((op) => {
    const example = choose(op, recorder?.seen.get(op.id) ?? []) ?? stillFitting(op, former[op.id]);
    return example === undefined ? [] : [[op.id, example] as const];
  });
  await writeFile(file, `${JSON.stringify(Object.fromEntries(examples), null, 1)}\n`);
  const shown = new Set(examples.map(([id]) => id));
  const missing = operationList.filter((op) => hasBodies(op) && !shown.has(op.id)).map(({ id }) => id);
  process.stdout.write(`${examples.length} operations have an example; without: ${missing.join(', ') || 'none'}\n`);
  return examples.length > 0;
});
process.exit(isWell ? 0 : 1);

/** The example of an earlier run, for what this one did not get, as long as it is as the schemas say. */
function stillFitting(op: Operation, former: OperationExample | undefined): OperationExample | undefined {
  return former !== undefined && fits(op, former) ? former : undefined;
}

/** Whether there is something to show of an operation. */
function hasBodies({ body, response }: Operation): boolean {
  return body !== undefined || response !== undefined;
}
