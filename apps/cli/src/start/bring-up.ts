import { firstRun } from '../bootstrap/first-run.js';
import { writeRunFile } from '../installation/run-file.js';
import { readText } from '../installation/private-file.js';
import { untilReady, urlHost } from '../supervisor/readiness.js';
import { version } from '../version.js';
import { banner } from './banner.js';
import type { Installation } from './installation.js';
import { gatewayName } from './plan.js';

const bootstrapMs = 60_000;

/** Starts the processes of an installation, creates the first user, and shows the banner. Rejects when aborted. */
export async function bringUp(installation: Installation, signal: AbortSignal): Promise<void> {
  const { supervisor, settings, addresses, folder, output } = installation;
  supervisor.start();
  const waiting = {
    adminHost: settings.ADMIN_HOST,
    signal,
    onWaiting: (what: string, seconds: number) => output.info(`waiting for ${what} (${seconds} s)`),
  };
  const others = supervisor.children.filter(({ name }) => name !== gatewayName);
  await untilReady(others, waiting);
  const made = await seeToFirstRun(installation, signal);
  signal.throwIfAborted();
  const admin = supervisor.children.map(({ name }) => ({ name, port: addresses.admin[name] ?? 0 }));
  await writeRunFile(folder.run, {
    version,
    endpoint: addresses.publicUrl,
    control: { port: installation.control.port, secret: installation.control.secret },
    adminPorts: Object.fromEntries(admin.map(({ name, port }) => [name, port])),
    environment: installation.environment,
  });
  // The gateway waits for the run file, so it can only be ready now.
  await untilReady(supervisor.children, { ...waiting, gateway: addresses.gateway.url });
  const text = banner({
    version,
    url: addresses.gateway.url,
    sites: addresses.reader === undefined ? undefined : `${addresses.files.origin}/~site/`,
    signIn: `${addresses.publicUrl}/sign-in`,
    isMailKept: installation.isMailKept,
    integrations: installation.services.includes('integrations') ? addresses.endpoints.origin : undefined,
    firstRun: made === undefined ? undefined : { path: folder.firstRun, content: made },
    admin: admin.map(({ name, port }) => ({ name, address: `${urlHost(settings.ADMIN_HOST)}:${port}` })),
  });
  process.stdout.write(text);
}

async function seeToFirstRun({ folder, settings, addresses, output }: Installation, signal: AbortSignal) {
  if ((await readText(folder.firstRun)) === undefined) output.info('creating the first user, organization and token');
  return firstRun(
    folder.firstRun,
    addresses.publicUrl,
    { ...settings, NATS_URL: addresses.servers.NATS_URL },
    {
      // Loaded only on use, so that later starts do not load the client and the contracts.
      newToken: async () => (await import('../bootstrap/new-token.js')).newToken(),
      bootstrap: async (bootstrapSettings, token) => {
        const { bootstrap } = await import('../bootstrap/installation-client.js');
        return bootstrap(bootstrapSettings, token, { withinMs: bootstrapMs, signal });
      },
    },
  );
}
