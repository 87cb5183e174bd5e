// Usage: EMBEDDED_USAGE_DIR=<folder> node scripts/usage.mjs [--write] — what the suites asked of the embedded MongoDB
// server, which noted it in that folder, beside what is written down as used. `--strict` ends with 1 when a command is
// new; `--write` adds it all.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../src/mongodb/used.txt', import.meta.url));
const HEAD = `# Commands, fields and operators that the product and its tests send to MongoDB, as the servers of their suites noted them.\n`;

const kindsIn = (text) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const folder = process.env['EMBEDDED_USAGE_DIR'];
if (folder === undefined || !existsSync(folder)) {
  process.stderr.write('EMBEDDED_USAGE_DIR names no folder; run the suites with it first\n');
  process.exit(1);
}
const known = new Set(kindsIn(readFileSync(FILE, 'utf8')));
const used = new Set(readdirSync(folder).flatMap((name) => kindsIn(readFileSync(join(folder, name), 'utf8'))));
if (used.size === 0) {
  process.stderr.write(`no server noted anything in ${folder}; the suites came from a cache, or ran elsewhere\n`);
  process.exit(1);
}
const fresh = [...used].filter((kind) => !known.has(kind)).sort();
const commands = fresh.filter((kind) => /^\w+$/.test(kind));

console.log(
  `${used.size} kinds used, ${fresh.length} of them new, ${[...known].filter((kind) => !used.has(kind)).length} no longer seen`,
);
for (const kind of fresh) console.log(`new: ${kind}`);
if (process.argv.includes('--write'))
  writeFileSync(
    FILE,
    HEAD +
      [...new Set([...known, ...used])]
        .sort()
        .map((kind) => `${kind}\n`)
        .join(''),
  );
else if (process.argv.includes('--strict') && commands.length > 0) {
  process.stderr.write(
    `new commands: ${commands.join(', ')}. See whether SUPPORTED.md and the conformance suites have them, then \`node packages/embedded/scripts/usage.mjs --write\`\n`,
  );
  process.exit(1);
}
