import { link, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { pingWorker, tailWorker } from './workers.js';

/** Sockets of one process. Names are short, since a path of a socket may have 104 bytes on some systems. */
export interface EngineSockets {
  /** Where the script is called. */
  readonly calls: string;
  readonly ping: string;
  /** Where the script sends its requests. */
  readonly egress: string;
  readonly traces: string;
}

export function socketsIn(folder: string): EngineSockets {
  return { calls: join(folder, 'c'), ping: join(folder, 'p'), egress: join(folder, 'e'), traces: join(folder, 't') };
}

export const configFile = 'config.capnp';
export const certificateFile = 'ca.pem';
export const socketNames = ['calls', 'ping'] as const;
const compatibilityDate = '2025-05-25';

/** Writes what the engine needs to run a script: nothing else is in the folder, and nobody else can read it. */
export async function writeFolder(folder: string, script: string, heapMb: number): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  await Promise.all([
    linkOrCopy(script, join(folder, 'script.js')),
    writeFile(join(folder, 'ping.js'), pingWorker),
    writeFile(join(folder, 'tail.js'), tailWorker),
    writeFile(join(folder, configFile), configOf(socketsIn(folder), heapMb)),
    writeFile(join(folder, certificateFile), rootCertificates[0] ?? ''),
  ]);
}

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}

/** No worker has a binding but the tail worker, and no way out but the socket of this process. */
function configOf({ calls, ping, egress, traces }: EngineSockets, heapMb: number): string {
  const address = (path: string): string => JSON.stringify(`unix:${path}`);
  const worker = (file: string, more = ''): string =>
    `(modules = [(name = "${file}", esModule = embed "${file}")], compatibilityDate = "${compatibilityDate}", ` +
    `globalOutbound = "egress"${more})`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ["--max-heap-size=${heapMb}"],
  services = [
    (name = "script", worker = ${worker('script.js', ', compatibilityFlags = ["nodejs_compat"], tails = ["tail"]')}),
    (name = "ping", worker = ${worker('ping.js')}),
    (name = "tail", worker = ${worker('tail.js', ', bindings = [(name = "traces", service = "traces")]')}),
    (name = "egress", external = (address = ${address(egress)}, http = (style = proxy))),
    (name = "traces", external = (address = ${address(traces)}, http = ()))
  ],
  sockets = [
    (name = "${socketNames[0]}", address = ${address(calls)}, http = (), service = "script"),
    (name = "${socketNames[1]}", address = ${address(ping)}, http = (), service = "ping")
  ]
);
`;
}
