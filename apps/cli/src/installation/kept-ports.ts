import * as z from 'zod';
import type { StartSettings } from '../settings.js';
import { StopError } from '../stop-error.js';
import { jsonText, readJson, writePrivate } from './private-file.js';

/** The ports of which the first start chooses one if none is set. Addresses of files and sites name them. */
const chosenPorts = ['CONTENT_PORT', 'INTEGRATIONS_PORT'] as const;
type ChosenPort = (typeof chosenPorts)[number];

const port = z.int().min(1).max(65_535).optional();
const KeptPorts = z.object({ CONTENT_PORT: port, INTEGRATIONS_PORT: port });
export type KeptPorts = z.output<typeof KeptPorts>;

/**
 * The ports that an earlier start chose, from the file `path`; none before the first start.
 * @throws StopError when the file has other content
 */
export async function readKeptPorts(path: string): Promise<KeptPorts> {
  const found = await readJson(path).catch((): unknown => null);
  if (found === undefined) return {};
  const kept = KeptPorts.safeParse(found);
  if (kept.success) return kept.data;
  throw new StopError(`${path} is damaged; remove it, and the next start chooses free ports`);
}

/**
 * The kept ports that a start uses: those for which no port is set. With any free port for the gateway (0), the others
 * are any free ones, too. A kept port that is set for something else by now is given up.
 */
export function portsInUse(settings: StartSettings, kept: KeptPorts): KeptPorts {
  const set = [settings.PORT, ...chosenPorts.map((name) => settings[name])];
  const isUsed = (name: ChosenPort) => settings[name] === undefined && !set.includes(kept[name]);
  return settings.PORT === 0 ? {} : pick(kept, isUsed);
}

/** Keeps the ports that were chosen by a start because neither was one set nor kept before. */
export async function keepPorts(
  path: string,
  { settings, kept, chosen }: { settings: StartSettings; kept: KeptPorts; chosen: Required<KeptPorts> },
): Promise<void> {
  if (settings.PORT === 0) return;
  const fresh = pick(chosen, (name) => settings[name] === undefined && kept[name] !== chosen[name]);
  if (Object.keys(fresh).length > 0) await writePrivate(path, jsonText({ ...kept, ...fresh }));
}

function pick(ports: KeptPorts, isPicked: (name: ChosenPort) => boolean): KeptPorts {
  return Object.fromEntries(
    chosenPorts.filter((name) => ports[name] !== undefined && isPicked(name)).map((name) => [name, ports[name]]),
  );
}
