import { z } from 'zod';
import { type ConsumerState, type HeldLease } from '../leases/consumers.js';

/** What the owner tells of a projection: its documents are written up to `at`. */
export interface Told {
  readonly lease: HeldLease;
  readonly at: bigint;
  readonly state: ConsumerState;
  readonly changed: bigint;
}

/** One message: these projections have written everything up to `at`. */
export interface Announcement {
  at: bigint;
  of: readonly (HeldLease & Pick<Told, 'state' | 'changed'>)[];
}

const messageSchema = z.object({
  /** The replica that tells; it does not listen to itself. Replicas of an earlier version do not say it. */
  by: z.string().optional(),
  at: z.string(),
  of: z.array(z.tuple([z.string(), z.number(), z.enum(['building', 'live', 'stopped']), z.string()])),
});

/** Projections that are equally far are told of together. */
export function announcementsOf(told: readonly Told[]): Announcement[] {
  const byPosition = new Map<bigint, Announcement['of']>();
  for (const { lease, at, state, changed } of told)
    byPosition.set(at, [...(byPosition.get(at) ?? []), { ...lease, state, changed }]);
  return [...byPosition].map(([at, of]) => ({ at, of }));
}

export function encode(by: string, { at, of }: Announcement): Uint8Array {
  return Buffer.from(
    JSON.stringify({
      by,
      at: String(at),
      of: of.map(({ name, epoch, state, changed }) => [name, epoch, state, String(changed)]),
    }),
  );
}

/** `undefined` for what `owner` itself has told, and for what another version tells. */
export function decode(owner: string, body: Uint8Array): Announcement | undefined {
  try {
    const text = Buffer.from(body).toString('utf8');
    if (text.startsWith(`{"by":${JSON.stringify(owner)},`)) return undefined;
    const { at, of } = messageSchema.parse(JSON.parse(text));
    return {
      at: BigInt(at),
      of: of.map(([name, epoch, state, changed]) => ({ name, epoch, state, changed: BigInt(changed) })),
    };
  } catch {
    // A message of another version: the checkpoints say the same, 50 ms later.
    return undefined;
  }
}
