import type { ServerResponse } from 'node:http';

/** Why a request of a script was not sent. The script sees it in a header of the answer. */
export type RefusedFor = 'address' | 'method' | 'protocol' | 'rate' | 'size';

export const refusedHeader = 'x-scriptorium-refused';

const statusOf: Readonly<Record<RefusedFor, number>> = {
  address: 403,
  method: 403,
  protocol: 403,
  rate: 429,
  size: 413,
};

/** What became of a request of a script. */
export interface Outcome {
  status: number;
  refused?: RefusedFor;
}

export function refuse(response: ServerResponse, refused: RefusedFor, message: string): Outcome {
  const status = statusOf[refused];
  say(response, status, message, { [refusedHeader]: refused, connection: 'close' });
  return { status, refused };
}

export function fail(response: ServerResponse, status: 502 | 504, message: string): Outcome {
  say(response, status, message, {});
  return { status };
}

function say(response: ServerResponse, status: number, message: string, headers: Record<string, string>): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(`${message}\n`);
}
