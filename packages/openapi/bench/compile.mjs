// What compiling costs: `npm run bench -w packages/openapi [-- file]`. Without a file a specification is generated that
// is as large as those of large products: 1,200 operations, 900 schemas that refer to each other, 10 MB.
import { readFileSync } from 'node:fs';
import { dump } from 'js-yaml';
import { changesBetween, compile, openPack, operationOf } from '../dist/index.js';

const words = 'The order that was made by a person who may see it, with all that belongs to it. '.repeat(6);

function generated() {
  const ref = (i) => ({ $ref: `#/components/schemas/S${i % 900}` });
  const schema = (i) => ({
    type: 'object',
    description: words,
    required: ['id'],
    properties: Object.fromEntries([
      ['id', { type: 'integer' }],
      ...Array.from({ length: 20 }, (_, p) => [
        `p${p}`,
        { type: 'string', description: words.slice(0, 160), example: `${p}` },
      ]),
      // Most schemas reach a few others; some reach many.
      ...Array.from({ length: i % 50 === 0 ? 10 : 1 }, (_, r) => [`r${r}`, ref(i + 1 + (r % 3))]).filter(
        () => i % 7 !== 0,
      ),
    ]),
  });
  const operation = (i) => ({
    tags: [`t${i % 40}`],
    summary: `Operation ${i}`,
    description: words,
    parameters: Array.from({ length: 5 }, (_, p) => ({
      name: `q${p}`,
      in: 'query',
      description: words,
      schema: { type: 'string' },
    })),
    responses: {
      200: { description: 'All', content: { 'application/json': { schema: ref(i), example: { text: words } } } },
    },
  });
  const paths = Object.fromEntries(Array.from({ length: 1_200 }, (_, i) => [`/things/${i}`, { get: operation(i) }]));
  const schemas = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`S${i}`, schema(i)]));
  return { openapi: '3.0.3', info: { title: 'Large', version: '1' }, paths, components: { schemas } };
}

async function measured(name, work) {
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  const figures = [`${(performance.now() - start).toFixed(0)} ms`, `${((user + system) / 1_000).toFixed(0)} ms of CPU`];
  process.stdout.write(`${name.padEnd(34)} ${figures.join(', ')}\n`);
  return result;
}

const [, , file] = process.argv;
const text = file === undefined ? JSON.stringify(generated()) : readFileSync(file, 'utf8');
const texts =
  file === undefined
    ? [
        ['JSON', text],
        ['YAML', dump(JSON.parse(text))],
      ]
    : [[file, text]];
for (const [name, given] of texts) {
  const forms = await measured(`compile ${name}, ${(given.length / 1e6).toFixed(1)} MB`, () => compile(given));
  if (!forms.isReadable) throw new Error(forms.problems.items[0]?.message);
  const pack = await measured('open the pack', () => openPack(forms.pack.bytes));
  const names = [...pack.operations.keys()].map((one) => one.split(' '));
  await measured(`read ${names.length} operations one by one`, () => {
    for (const [method, path] of names) operationOf(pack, method, path);
  });
  await measured('compare it with itself', () => changesBetween(pack, pack));
}
process.stdout.write(`most memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB\n`);
