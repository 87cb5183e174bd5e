// Run by `npm run licences`: everything that the apps need to run has a licence that is allowed here, and every package
// of the lock file a hash.
import { productionDependencies, withoutIntegrity } from './lock-file.mjs';

/** SPDX names of licences under which a dependency may be distributed together with the product. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  // Drawings of icons.
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Of fonts: they may be given away with a program and in documents, not sold by themselves.
  'OFL-1.1',
  'UFL-1.0',
  'Unlicense',
  'Zlib',
]);

const dependencies = productionDependencies();
const refused = dependencies.filter(({ licence }) => typeof licence !== 'string' || !isAllowed(licence));
for (const { name, version, licence } of refused)
  process.stderr.write(
    `${name}@${version}: ${licence === undefined ? 'names no licence' : `${licence} is not allowed`}\n`,
  );
// npm reads packages in a `node_modules` of a workspace from the disk when it writes the lock file anew, and then
// leaves out their hashes, so that nothing is compared with what a registry sends.
const unhashed = withoutIntegrity();
for (const path of unhashed)
  process.stderr.write(`${path}: package-lock.json has no integrity; npm view NAME@VERSION dist.integrity tells it\n`);
if (refused.length + unhashed.length > 0) process.exitCode = 1;
else process.stdout.write(summary());

/** Whether an SPDX expression can be met by allowed licences alone. What is not understood is not allowed. */
function isAllowed(expression) {
  const words = expression.match(/[()]|[^\s()]+/g) ?? [];
  const term = () => {
    const word = words.shift();
    if (word !== '(') return allowed.has(word);
    const inner = alternatives();
    return words.shift() === ')' && inner;
  };
  const together = () => {
    let result = term();
    while (words[0] === 'AND') result = (words.shift(), term()) && result;
    return result;
  };
  const alternatives = () => {
    let result = together();
    while (words[0] === 'OR') result = (words.shift(), together()) || result;
    return result;
  };
  return alternatives() && words.length === 0;
}

/** How many dependencies have which licence. */
function summary() {
  const counts = new Map();
  for (const { licence } of dependencies) counts.set(licence, (counts.get(licence) ?? 0) + 1);
  const lines = [...counts].sort((a, b) => b[1] - a[1]).map(([licence, count]) => `${count} ${licence}\n`);
  return `${lines.join('')}${dependencies.length} production dependencies, all licences allowed\n`;
}
