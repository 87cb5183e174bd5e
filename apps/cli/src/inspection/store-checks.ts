import { inspectEventStore, inspectMongo, type InspectedServer } from '@scriptorium/event-sourcing';
import { connectMessaging } from '@scriptorium/messaging';
import { failed, passed, type Check } from './check.js';

/** Addresses of servers. They contain credentials, and stand in no check. */
export interface ServerAddresses {
  EVENTSTORE_URL?: string | undefined;
  MONGODB_URL?: string | undefined;
  NATS_URL?: string | undefined;
}

const withinMs = 5_000;
/** EventStoreDB gives up every append when its clock is further ahead. */
const mostMs = 5_000;

/** Whether the servers answer, with their versions, and whether their clocks are those of this machine. */
export async function storeChecks(urls: ServerAddresses, namespace: string): Promise<Check[]> {
  const found = await Promise.all([
    serverCheck('EVENTSTORE_URL', 'EventStoreDB', urls, inspectEventStore),
    serverCheck('MONGODB_URL', 'MongoDB', urls, inspectMongo),
    serverCheck('NATS_URL', 'NATS', urls, (url) => inspectNats(url, namespace)),
  ]);
  return found.flat();
}

type Inspect = (url: string, ms: number) => Promise<InspectedServer>;

async function serverCheck(
  setting: keyof ServerAddresses,
  name: string,
  { [setting]: url }: ServerAddresses,
  inspect: Inspect,
): Promise<Check[]> {
  if (url === undefined) return [passed(name, 'embedded; it runs with the product')];
  try {
    const { version, aheadMs } = await inspect(url, withinMs);
    return [passed(name, `version ${version}`), ...(name === 'NATS' ? [] : [clockCheck(name, aheadMs)])];
  } catch (error) {
    const message = withoutCredentials(error instanceof Error ? error.message : String(error), url);
    return [failed(name, message, `start it, or correct ${setting}`)];
  }
}

/** Compares clocks. Servers of one machine have its clock. */
export function clockCheck(name: string, aheadMs: number | undefined): Check {
  const check = 'clock';
  if (aheadMs === undefined) return passed(check, `${name} does not tell its time`);
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  const detail = `that of ${name} is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead'}`;
  return Math.abs(aheadMs) <= mostMs ? passed(check, detail) : failed(check, detail, 'run NTP on both machines');
}

/** A message in which neither the address nor a user or password of it can be read. */
export function withoutCredentials(message: string, url: string): string {
  const [, credentials = ''] = /^[^:]+:\/\/(?:([^@/]*)@)?/.exec(url) ?? [];
  const secrets = [url, ...credentials.split(':').flatMap((one) => [one, decoded(one)])];
  return secrets.filter((one) => one.length > 2).reduce((text, one) => text.replaceAll(one, '***'), message);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function inspectNats(url: string, namespace: string): Promise<InspectedServer> {
  const messaging = await connectMessaging({ url, name: 'doctor', namespace, connectTimeoutMs: withinMs });
  try {
    return { version: messaging.status().version ?? 'unknown' };
  } finally {
    await messaging.close();
  }
}
