import { z } from 'zod';

/** What of an organization an event belongs to, where that is more than the organization. */
const withinSchema = z.object({
  space: z.string().optional(),
  site: z.string().optional(),
  changeRequest: z.string().optional(),
});

/** Who caused an event: a kind of principal (`user`, `integration`, `operator`, `system`, ...) and its id. */
const actorSchema = z.object({ kind: z.string(), id: z.string() });

/**
 * What every event carries beside its payload. Audit, feeds, export and erasure rest on `organization`; it is `null`
 * only for events that belong to no organization. `time` never decreases within a stream. Additive only.
 */
export const metadataSchema = z.object({
  v: z.literal(1),
  actor: actorSchema,
  organization: z.string().nullable(),
  operation: z.string(),
  /** The request that started it all. */
  correlation: z.string(),
  /** The event that led to this one, when a reactor wrote it. */
  causation: z.string().nullable(),
  time: z.iso.datetime(),
  /** What makes a repeated command recognisable. */
  idem: z.string().optional(),
  /** W3C `traceparent`, when the command was traced. */
  trace: z.string().optional(),
  /** By what the actor acted, where that is not a program with a token of theirs. */
  source: z.string().optional(),
  /** Ids of the space, site and change request that the event happened in. */
  within: withinSchema.optional(),
});

export type Within = z.output<typeof withinSchema>;
export type Actor = z.output<typeof actorSchema>;
export type Metadata = z.output<typeof metadataSchema>;

/** What a caller of `handle` says about the command. `deadline` is epoch ms by the store's clock. */
export interface CommandContext {
  actor: Actor;
  organization: string | null;
  operation: string;
  correlation: string;
  causation?: string | undefined;
  idem?: string | undefined;
  deadline?: number | undefined;
  trace?: string | undefined;
  source?: string | undefined;
  within?: Within | undefined;
}

/** The metadata of events recorded now: `time` is the clock's, or the stream's last when that is later. */
export function stamp(context: CommandContext, now: number, lastTime: string | undefined): Metadata {
  const time = new Date(now).toISOString();
  return {
    v: 1,
    actor: { kind: context.actor.kind, id: context.actor.id },
    organization: context.organization,
    operation: context.operation,
    correlation: context.correlation,
    causation: context.causation ?? null,
    time: lastTime !== undefined && lastTime > time ? lastTime : time,
    ...(context.idem === undefined ? {} : { idem: context.idem }),
    ...(context.trace === undefined ? {} : { trace: context.trace }),
    ...(context.source === undefined ? {} : { source: context.source }),
    ...(context.within === undefined ? {} : { within: context.within }),
  };
}
