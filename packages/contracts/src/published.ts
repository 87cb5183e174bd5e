import { identityStreams } from './identity/public-streams.js';
import { actionOf, type PublicStream } from './public-streams.js';

/** The public streams of all services. Another service's are added by another line. */
export const publicStreams: readonly PublicStream[] = [...identityStreams];

/** What events are told of each stream, by action. */
export const streamOfAction: ReadonlyMap<string, PublicStream> = new Map(
  publicStreams.flatMap((stream) =>
    Object.keys(stream.schemas)
      .filter((type) => !stream.untold.includes(type))
      .map((type) => [actionOf(type), stream] as const),
  ),
);

/** Every action, sorted. */
export const publicActions: readonly string[] = [...streamOfAction.keys()].sort();
