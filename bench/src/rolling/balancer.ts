import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@scriptorium/embedded/free-port';
import type { Cleanup } from '../processes/cleanup.js';
import { findProgram } from '../processes/paths.js';
import { tempFolder } from '../processes/temp-folder.js';
import { waitFor } from '../processes/wait-for.js';

/** HAProxy in front of gateways. */
export interface Balancer {
  endpoint: string;
  /** Sends a gateway nothing new, and waits until it has answered what it has. */
  leave(gateway: number): Promise<void>;
  /** Sends a gateway requests again, and waits until it is found well. */
  join(gateway: number): Promise<void>;
}

const startMs = 10_000;
const leaveMs = 15_000;
const stateColumn = 'status';
const sessionsColumn = 'scur';

/** @throws when there is no haproxy on the search path */
export async function startBalancer(gateways: readonly string[], cleanup: Cleanup): Promise<Balancer> {
  const program = findProgram('haproxy');
  if (program === undefined) throw new Error('haproxy is not on the search path (apt-get install haproxy)');
  const folder = await tempFolder(cleanup);
  const port = await freePort();
  const socket = join(folder, 'admin');
  await writeFile(join(folder, 'haproxy.cfg'), configuration(socket, port, gateways));
  const child = spawn(program, ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: ['ignore', 'inherit', 'inherit'] });
  cleanup.add(async () => {
    if (child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  });
  const find = async (gateway: number) => (await statistics(socket)).find(({ svname }) => svname === `g${gateway}`);
  const untilWell = (gateway: number) =>
    waitFor(
      `haproxy to find gateway ${gateway + 1} well`,
      async () => (await find(gateway).catch(() => undefined))?.[stateColumn]?.startsWith('UP'),
      startMs,
    );
  for (const gateway of gateways.keys()) await untilWell(gateway);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async leave(gateway) {
      await order(socket, `set server gateways/g${gateway} state drain`);
      await waitFor(
        'the gateway to have no requests',
        async () => (await find(gateway))?.[sessionsColumn] === '0',
        leaveMs,
      );
    },
    async join(gateway) {
      await order(socket, `set server gateways/g${gateway} state ready`);
      await untilWell(gateway);
    },
  };
}

/** A connection that is refused goes to the other gateway; nothing that may have reached one is sent again. */
function configuration(socket: string, port: number, gateways: readonly string[]): string {
  const servers = gateways.map(
    (gateway, index) => `  server g${index} ${new URL(gateway).host} check inter 500ms fall 2 rise 1`,
  );
  return `global
  stats socket ${socket} mode 600 level admin
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  option redispatch 1
  retries 3
  retry-on conn-failure
frontend api
  bind 127.0.0.1:${port}
  default_backend gateways
backend gateways
  balance leastconn
  option httpchk GET /readyz
${servers.join('\n')}
`;
}

/** Sends a command to the admin socket, and answers what it says. */
async function order(socket: string, command: string): Promise<string> {
  const connection = connect(socket);
  connection.end(`${command}\n`);
  let text = '';
  for await (const chunk of connection.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
  return text;
}

/** The table of statistics, a record for each line. */
async function statistics(socket: string): Promise<Record<string, string>[]> {
  const [head = '', ...lines] = (await order(socket, 'show stat')).replace(/^# /, '').trim().split('\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, index) => [names[index] ?? '', value])));
}
