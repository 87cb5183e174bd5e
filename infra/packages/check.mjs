import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const typesMs = 120_000;
const typesCommand = fileURLToPath(new URL('../../node_modules/@arethetypeswrong/cli/dist/index.js', import.meta.url));

/** What is wrong with the manifest, the files and the types of the client, one line for each. */
export async function problemsOfClient(tarball) {
  return [...(await problemsOfCommand(tarball)), ...problemsOfTypes(tarball)];
}

/** What is wrong with the manifest and the files of a package that nobody imports. */
export async function problemsOfCommand(tarball) {
  const bytes = readFileSync(tarball);
  const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: data }, strict: true });
  return messages.map((message) => `publint: ${pkg.name}: ${formatMessage(message, pkg, { color: false })}`);
}

/** Every way of finding the types is tried. `require` gets an ES module, which Node 20.19 and newer load. */
function problemsOfTypes(tarball) {
  const options = ['--ignore-rules', 'cjs-resolves-to-esm', '--format', 'table', '--no-color', '--no-emoji'];
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [typesCommand, tarball, ...options], {
    encoding: 'utf8',
    timeout: typesMs,
  });
  if (error !== undefined) throw error;
  return status === 0 ? [] : [`attw: ${stderr}${stdout}`];
}
