import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument, operationList } from '../../packages/contracts/dist/index.js';

// Run by `npm run docs:lint`, after a build: the OpenAPI document keeps the rules of Redocly in `redocly.yaml`.
const timeoutMs = 60_000;
const command = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));
const config = fileURLToPath(new URL('redocly.yaml', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
try {
  const examples = JSON.parse(readFileSync(new URL('../../apps/gateway/examples.json', import.meta.url), 'utf8'));
  const options = { serverUrl: 'https://docs.example', version: '1.0.0', examples };
  const problems = problemsOf(openApiDocument(operationList, options));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  const result = problems.length === 0 ? 'all well' : `${problems.length} problems`;
  process.stdout.write(`${operationList.length} operations in the OpenAPI document, ${result}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** What is wrong with a document, one line for each place. */
function problemsOf(document) {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const options = ['--config', config, '--format', 'json', '--max-problems', '1000'];
  const { stdout, stderr, error } = spawnSync(process.execPath, [command, 'lint', file, ...options], {
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
    // It would tell its maker of each run, and look for newer versions.
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  if (error !== undefined) throw error;
  if (!stdout.startsWith('{')) throw new Error(`Redocly did not report: ${stderr}${stdout}`);
  return JSON.parse(stdout).problems.map(
    ({ severity, ruleId, message, location: [place] }) => `${severity} ${ruleId}: ${message} (${place?.pointer})`,
  );
}
