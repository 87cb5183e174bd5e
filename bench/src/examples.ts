import { writeFile } from 'node:fs/promises';
import { operationList } from '@scriptorium/contracts';
import { runClients } from './clients/run.js';
import { choose } from './examples/choose.js';
import { startRecorder, type Recorder } from './examples/recorder.js';
import { sweep } from './examples/sweep.js';
import { repositoryFile } from './processes/paths.js';
import { runWithCleanup } from './processes/run-with-cleanup.js';

// Writes the examples of the OpenAPI document: what the product answers when clients drive it.
const isWell = await runWithCleanup(async (cleanup) => {
  let recorder: Recorder | undefined;
  await runClients(cleanup, async (product) => {
    recorder = await startRecorder(cleanup, product.endpoint);
    return { ...product, endpoint: recorder.endpoint };
  });
  if (recorder !== undefined) await sweep(recorder);
  const examples = operationList.flatMap((op) => {
    const example = choose(op, recorder?.seen.get(op.id) ?? []);
    return example === undefined ? [] : [[op.id, example] as const];
  });
  const file = repositoryFile('apps/gateway/examples.json');
  await writeFile(file, `${JSON.stringify(Object.fromEntries(examples), null, 1)}\n`);
  process.stdout.write(`${examples.length} of ${operationList.length} operations have an example\n`);
  return examples.length > 0;
});
process.exit(isWell ? 0 : 1);
