import type { Logger } from '@scriptorium/platform';
import { counter, gauge, type Registry, requestMetrics } from '@scriptorium/platform/metrics';
import type { RuntimeEvents } from './start-runtime.js';

const service = 'runtime';

/** Metrics and lines of the log. No line has anything of a call but the id of its integration. */
export function createEvents(registry: Registry, logger: Logger, processes: () => number): RuntimeEvents {
  const requests = requestMetrics(registry, service);
  const ends = counter(
    registry,
    'scriptorium_script_processes_ended_total',
    'Processes of scripts that ended',
    'cause',
  );
  const outgoing = counter(registry, 'scriptorium_script_requests_total', 'Requests that scripts have sent', 'outcome');
  const running = gauge(registry, 'scriptorium_script_processes', 'Processes of scripts', 'state');
  Object.assign(running, { collect: () => running.set({ service, state: 'running' }, processes()) });
  const quiet = new Set(['idle', 'stopped']);
  return {
    request: (operation, outcome, milliseconds) => requests.observe({ operation, outcome, milliseconds }),
    ended({ integration, cause, rests }) {
      ends.inc({ service, cause });
      if (rests) logger.error({ integration, cause }, 'An integration rests, since its scripts were ended too often');
      else if (!quiet.has(cause)) logger.warn({ integration, cause }, 'The process of a script has ended');
    },
    outgoing: (outcome) => outgoing.inc({ service, outcome }),
    error: (error) => logger.error({ err: error }, 'A call could not be made'),
  };
}
