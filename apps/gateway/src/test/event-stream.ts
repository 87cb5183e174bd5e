import { get, type IncomingHttpHeaders } from 'node:http';

/** A stream as a test reads it. */
export interface OpenStream {
  status: number;
  headers: IncomingHttpHeaders;
  /** The text so far. */
  text(): string;
  /** `data` of the messages so far, as JSON; the last one may be of `end`. */
  messages(): unknown[];
  /** Stops reading. */
  stall(): void;
  isClosed(): boolean;
  leave(): void;
}

/** Opens a stream and waits for its headers. */
export function openStream(
  address: string,
  path: string,
  token: string,
  headers: Record<string, string> = {},
): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const request = get(
      address + path,
      { headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...headers }, agent: false },
      (response) => {
        let text = '';
        let closed = false;
        response.setEncoding('utf8');
        response.on('data', (part: string) => (text += part));
        response.on('error', () => undefined);
        response.on('close', () => (closed = true));
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: () => text,
          messages: () => [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as unknown),
          stall: () => void response.pause(),
          isClosed: () => closed,
          leave: () => void request.destroy(),
        });
      },
    );
    request.on('error', reject);
  });
}
