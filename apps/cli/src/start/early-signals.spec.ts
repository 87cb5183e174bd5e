import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const early = pathToFileURL(fileURLToPath(new URL('../../bin/early-signals.js', import.meta.url))).href;

/** A process that gets a signal when it has done `work`. */
async function signalled(work: string, signal: NodeJS.Signals): Promise<[number | null, string | null]> {
  const script = `const { endOnSignals } = await import(${JSON.stringify(early)});
    const handOver = endOnSignals();
    ${work}
    setInterval(() => undefined, 1000);
    process.stdout.write('there');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill(signal);
  return (await once(child, 'exit')) as [number | null, string | null];
}

describe('a signal before a command has begun', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends the process like a later one: %s', async (signal) => {
    expect(await signalled('', signal)).toEqual([0, null]);
  });

  it('is passed to the command once that handles signals', async () => {
    expect(await signalled("process.on('SIGINT', () => process.exit(3)); handOver();", 'SIGINT')).toEqual([3, null]);
  });
});
