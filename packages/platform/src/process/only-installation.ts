import { randomUUID } from 'node:crypto';
import type { Messaging } from '@scriptorium/messaging';
import { ConfigError } from './config.js';
import type { Keyring } from './keyring.js';

export interface OnlyInstallation {
  messaging: Pick<Messaging, 'publish' | 'subscribe'>;
  keys: Keyring;
  namespace: string;
  logger: { error(fields: object, message: string): void };
  /** How long to wait for another installation, in ms. */
  withinMs?: number;
}

const asked = 'installation.asked';
const answered = 'installation.answered';

/**
 * Makes sure that no other installation works in this namespace of the NATS server: its services would get requests of
 * this one, and refuse them. Processes of one installation have the same reservation key, which is never rotated. Each
 * process asks once, at its start, and answers others from then on; those of one installation, and of versions that do
 * not know the question, do not answer.
 * @throws ConfigError when a process of another installation answers
 */
export async function requireOnlyInstallation(parts: OnlyInstallation): Promise<void> {
  const { messaging, keys, namespace, withinMs = 100 } = parts;
  const own = keys.digest('installation').toString('base64url');
  const id = randomUUID();
  const asking: Asking = { state: 'asking', refuse: () => undefined };
  const told = once(() => tellOfOther(parts));
  await messaging.subscribe(`${answered}.${id}`, (body) => {
    if (textOf(body) === own) return;
    if (asking.state === 'admitted') told();
    else asking.refuse();
  });
  await messaging.subscribe(`${asked}.*`, (body, subject) => {
    const other = textOf(body);
    if (other === own || asking.state === 'refused') return;
    if (asking.state === 'admitted') told();
    // Of two that ask at the same time, one may start.
    if (asking.state === 'admitted' || own < other)
      messaging.publish(`${answered}.${subject.slice(asked.length + 1)}`, Buffer.from(own));
  });
  const isRefused = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), withinMs);
    asking.refuse = () => {
      asking.state = 'refused';
      clearTimeout(timer);
      resolve(true);
    };
  });
  messaging.publish(`${asked}.${id}`, Buffer.from(own));
  if (await isRefused)
    throw new ConfigError(
      `NAMESPACE: another installation, with other SECRET_KEYS, runs in "${namespace}" of this NATS server; give one of the two another NAMESPACE or NATS_URL`,
    );
  asking.state = 'admitted';
}

interface Asking {
  state: 'asking' | 'admitted' | 'refused';
  refuse: () => void;
}

function tellOfOther({ logger, namespace }: OnlyInstallation): void {
  logger.error({ namespace }, 'another installation, with other SECRET_KEYS, uses this namespace of the NATS server');
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

/** Other processes can publish anything. */
function textOf(body: Uint8Array): string {
  return Buffer.from(body).subarray(0, 64).toString('latin1');
}
