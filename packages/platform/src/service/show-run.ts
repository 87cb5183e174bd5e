import type { RunView } from '@scriptorium/event-sourcing';

/** What every run is answered with: `runFields` of the contract. */
export function showRun({ id, status, progress, requestedAt, startedAt, endedAt, failure }: RunView) {
  return {
    id,
    status,
    ...(progress === undefined ? {} : { progress }),
    requestedAt: timestamp(requestedAt),
    ...(startedAt === undefined ? {} : { startedAt: timestamp(startedAt) }),
    ...(endedAt === undefined ? {} : { endedAt: timestamp(endedAt) }),
    ...(failure === undefined ? {} : { failure }),
  };
}

function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
