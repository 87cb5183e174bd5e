import { connectMessaging } from '@scriptorium/messaging';
import type { Rig } from './rig.js';

/** Announces something to the services of a rig, as another process of the installation does. */
export async function announce(
  { NATS_URL: url, NAMESPACE: namespace }: Pick<Rig['config'], 'NATS_URL' | 'NAMESPACE'>,
  subject: string,
  message: object,
): Promise<void> {
  const messaging = await connectMessaging({ url, name: 'spec', namespace });
  messaging.publish(subject, Buffer.from(JSON.stringify(message)));
  await messaging.close();
}
