import type { ConfigurationValues } from '@scriptorium/contracts';
import type { Delivery } from '../outbox/index.js';
import type { Facts } from './environment.process.js';

/** Configurations that are told with an event: the one of before, by the id that names its values. */
export type ReadBefore = (version: string | null) => Promise<ConfigurationValues>;

/** The event that a script gets. */
export async function payloadOf(delivery: Delivery, facts: Facts, readBefore: ReadBefore): Promise<object> {
  const { event: eventId, type, installation: installationId, target, revision, visibility, replay } = delivery;
  const common = {
    eventId,
    type,
    installationId,
    ...(target === null ? {} : { [`${target.kind}Id`]: target.id }),
    ...(revision === null ? {} : { revisionId: revision }),
    ...(visibility && { previousVisibility: visibility.previous, visibility: visibility.present }),
    ...(replay === undefined ? {} : { delivery: { replay } }),
  };
  if (type.endsWith('_deleted')) return { ...common, previous: await ended(delivery, facts, readBefore) };
  if (!type.endsWith('_setup')) return common;
  const { before } = delivery;
  const status = delivery.status ?? facts.targetStatus;
  if (before === null) return { ...common, status };
  const configured =
    before.configuration === undefined ? {} : { configuration: await readBefore(before.configuration) };
  return { ...common, status, previous: { status: before.status ?? status, ...configured } };
}

/** The configuration that there was at the end. */
async function ended({ target }: Delivery, { last }: Facts, readBefore: ReadBefore): Promise<object> {
  const version =
    target === null ? (last?.configuration ?? null) : (last?.targets[`${target.kind}-${target.id}`] ?? null);
  return { configuration: await readBefore(version) };
}
