import { z } from 'zod';

/** The part of an organization that an event belongs to, if it belongs to one. */
const withinSchema = z.object({
  space: z.string().optional(),
  site: z.string().optional(),
  changeRequest: z.string().optional(),
});

/** Who caused an event: the kind of the principal (`user`, `integration`, `operator`, `system`, ...) and its id. */
const actorSchema = z.object({ kind: z.string(), id: z.string() });

/**
 * What every event has besides its payload. Audit log, feeds, export and erasure use `organization`; it is `null` only
 * for events that belong to no organization. `time` never decreases within a stream. Fields may only be added.
 */
export const metadataSchema = z.object({
  v: z.literal(1),
  actor: actorSchema,
  organization: z.string().nullable(),
  operation: z.string(),
  /** The request at the beginning of the chain of causes. */
  correlation: z.string(),
  /** The event to which a reactor reacted by writing this one. */
  causation: z.string().nullable(),
  time: z.iso.datetime(),
  /** The mark by which a repeated command is recognised. */
  idem: z.string().optional(),
  /** W3C `traceparent`, if the command was traced. */
  trace: z.string().optional(),
  /** The means by which the actor acted, unless that is a program with a token of theirs. */
  source: z.string().optional(),
  /** Ids of the space, site and change request that the event happened in. */
  within: withinSchema.optional(),
});

export type Within = z.output<typeof withinSchema>;
export type Actor = z.output<typeof actorSchema>;
export type Metadata = z.output<typeof metadataSchema>;

/**
 * What the caller of `handle` states about the command. `deadline` is in milliseconds since 1970 by the store's clock.
 */
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

/**
 * The metadata of events that are recorded now. `time` is that of the clock, or the last one of the stream if that is
 * later.
 */
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
