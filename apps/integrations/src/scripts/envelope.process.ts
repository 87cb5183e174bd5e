import { randomUUID } from 'node:crypto';

/** What a script gets, as `multipart/form-data`. */
export interface Envelope {
  contentType: string;
  body: Buffer;
}

/** The envelope of an event: the fields `event` and `environment`, and the body of a request if there is one. */
export function envelopeOf(event: object, environment: object, fetchBody?: Uint8Array): Envelope {
  const boundary = `----${randomUUID()}`;
  const part = (name: string, body: string | Uint8Array): (string | Uint8Array)[] => [
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${
      typeof body === 'string' ? '' : '; filename="body"\r\ncontent-type: application/octet-stream'
    }\r\n\r\n`,
    body,
    '\r\n',
  ];
  const parts = [
    ...part('event', JSON.stringify(event)),
    ...part('environment', JSON.stringify(environment)),
    ...(fetchBody === undefined ? [] : part('fetch-body', fetchBody)),
    `--${boundary}--\r\n`,
  ];
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat(parts.map((one) => (typeof one === 'string' ? Buffer.from(one) : one))),
  };
}
