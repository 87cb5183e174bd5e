import type { CommandContext } from '@scriptorium/event-sourcing';
import type { InternalCall } from '@scriptorium/platform';

/** What somebody does on the way in, in their own name. `organization`: the one that it belongs to. */
export function ownCommand(call: InternalCall, person: string, organization: string | null): CommandContext {
  return {
    actor: { kind: 'user', id: person },
    organization,
    operation: call.operation,
    correlation: call.requestId,
    deadline: call.deadline,
    ...(call.traceparent === undefined ? {} : { trace: call.traceparent }),
  };
}
