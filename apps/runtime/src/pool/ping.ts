import { Agent, request } from 'node:http';

/** Asks whether a process answers. */
export interface Pinger {
  /** Sends one request, unless the one before is still without an answer. */
  send(): void;
  /** How often `send` was called since the last answer. */
  missed(): number;
  reset(): void;
  close(): void;
}

export function createPinger(socketPath: string): Pinger {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let missed = 0;
  let isOut = false;
  const answered = (isAnswer: boolean): void => {
    isOut = false;
    if (isAnswer) missed = 0;
  };
  return {
    send() {
      missed += 1;
      if (isOut) return;
      isOut = true;
      const asked = request({ socketPath, agent, headers: { host: 'ping' } }, (response) => {
        answered(true);
        response.resume();
      });
      asked.on('error', () => answered(false)).end();
    },
    missed: () => missed,
    reset() {
      missed = 0;
    },
    close: () => agent.destroy(),
  };
}
