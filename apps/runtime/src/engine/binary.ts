import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:process';

/** The engine of this machine, or why there is none. */
export type Engine = { readonly binary: string } | { readonly unavailable: string };

const packages: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'windows-64',
};
const withinMs = 10_000;

/** Looks for the binary of this machine, and whether it runs. Never rejects. */
export async function findEngine(system = `${platform}-${arch}`): Promise<Engine> {
  const name = packages[system];
  if (name === undefined) return { unavailable: `There is no engine for ${system}` };
  if (system.startsWith('win32'))
    return { unavailable: 'Scripts need Unix sockets, which the engine does not have on Windows' };
  const binary = binaryOf(`@cloudflare/workerd-${name}`);
  if (binary === undefined) return { unavailable: `The optional package @cloudflare/workerd-${name} is not installed` };
  const failure = await failureOf(binary);
  return failure === undefined ? { binary } : { unavailable: `The engine does not run here: ${failure}` };
}

function binaryOf(name: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/workerd`);
  } catch {
    return undefined;
  }
}

/** Why the binary does not run, such as a library that this machine lacks. */
export function failureOf(binary: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(binary, ['--version'], { env: {}, timeout: withinMs }, (error, _out, said) => {
      const line = said.split('\n')[0]?.trim() ?? '';
      resolve(error === null ? undefined : (line === '' ? error.message.split('\n')[0] : line)?.slice(0, 300));
    });
  });
}
