import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { loadGenerator } from './load/load.js';
import { Cleanup } from './processes/cleanup.js';
import { startProduct, type ProcessName } from './product/product.js';
import { seed } from './product/seed.js';
import { createProfiler } from './profile/profiler.js';
import { startReference } from './reference/chain.js';
import { table } from './report.js';
import { scenarios } from './scenarios/index.js';
import type { Context, Figure, Options, Scenario } from './scenarios/scenario.js';

const usage = `usage: npm run bench -- [scenario...] [options]

${scenarios.map(({ name, summary }) => `  ${name.padEnd(14)} ${summary}`).join('\n')}

  --json            figures as JSON
  --seconds N       length of each run under load (8)
  --rounds N        interleaved runs whose median counts (3)
  --events N        events in the large log (100000; 1000000 for the goal)
  --pages N         pages of the import, and of the translated space (500; 9600, with their groups, for the largest space)
  --document FILE   specification as JSON, read instead of a generated one
  --messages DIR    folder with test.csv and train.csv of labelled messages, for clustering
  --profile P       CPU profile of gateway, services or servers after each throughput scenario
`;

const targets: readonly ProcessName[] = ['gateway', 'services', 'servers'];
const size = { members: 100, teams: 50 };
const say = (text: string) => void process.stderr.write(`${text}\n`);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '8' },
      rounds: { type: 'string', default: '3' },
      events: { type: 'string', default: '100000' },
      pages: { type: 'string', default: '500' },
      document: { type: 'string' },
      messages: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  const options: Options = {
    seconds: count('seconds', values.seconds),
    rounds: count('rounds', values.rounds),
    events: count('events', values.events),
    pages: count('pages', values.pages),
    connections: 50,
    document: values.document,
    messages: values.messages,
  };
  const chosen = choose(positionals);
  const target = targets.find((name) => name === values.profile);
  if (values.profile !== undefined && target === undefined)
    throw new Error(`--profile takes one of ${targets.join(', ')}`);
  const cleanup = new Cleanup();
  stopOnSignal(cleanup);
  try {
    const figures = await runAll(chosen, await createContext(options, target, cleanup));
    const head = { node: process.version, cpus: cpus().length, load: loadGenerator(), ...options };
    if (values.json) process.stdout.write(`${JSON.stringify({ ...head, figures }, null, 2)}\n`);
    else
      process.stdout.write(
        `\n${Object.entries(head)
          .map(([name, value]) => `${name} ${value}`)
          .join(', ')}\n\n${table(figures)}`,
      );
  } finally {
    await cleanup.run();
  }
}

async function runAll(chosen: readonly Scenario[], context: Context): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const scenario of chosen) {
    say(`--- ${scenario.name}: ${scenario.summary}`);
    figures.push(...(await scenario.run(context)));
  }
  return figures;
}

async function createContext(options: Options, target: ProcessName | undefined, cleanup: Cleanup): Promise<Context> {
  const profiler = target === undefined ? undefined : await createProfiler(target, cleanup, say);
  const reference = once(() => startReference(cleanup));
  const product = once(async () => {
    say('starting the product and seeding an organization');
    const started = await startProduct(cleanup, {
      MAX_TEAMS_PER_ORGANIZATION: '1000000',
      // Scenarios serve on loopback what the product fetches.
      OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8',
      ...profiler?.environment,
    });
    return { product: started, seed: await seed(started, size) };
  });
  return { options, cleanup, say, product, reference, ...(profiler === undefined ? {} : { profiler }) };
}

function choose(names: readonly string[]): Scenario[] {
  const unknown = names.find((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown !== undefined) throw new Error(`There is no scenario ${unknown}\n\n${usage}`);
  return scenarios.filter(({ name }) => names.length === 0 || names.includes(name));
}

function count(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number from 1`);
  return value;
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= work());
}

function stopOnSignal(cleanup: Cleanup): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanup.run().then(() => process.exit(130)));
  }
}

try {
  await main();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
