import { once } from 'node:events';
import { type ServerHttp2Stream, constants, createServer } from 'node:http2';
import { type AddressInfo } from 'node:net';

export interface FakeNode {
  readonly url: string;
  stop(): Promise<void>;
}

export interface Answers {
  /** The release that it says it is; without, it does not know that call. */
  version?: string;
  /** The gRPC status of the n-th read, counted from 0; 0 is an empty log. */
  read?: (n: number) => number;
}

/** Answers to the first calls of the client like a node of EventStoreDB, with what is said here. */
export async function startFakeNode({ version, read = () => 0 }: Answers): Promise<FakeNode> {
  let reads = 0;
  const server = createServer();
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream, headers) => {
    const path = headers[':path'] ?? '';
    if (path.endsWith('/GetSupportedMethods'))
      return version === undefined ? end(stream, 12) : end(stream, 0, supportedMethods(version));
    return end(stream, path.endsWith('/Read') ? read(reads++) : 12);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `esdb://127.0.0.1:${(server.address() as AddressInfo).port}?tls=false`,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}

/** `SupportedMethods` with nothing but its second field, which is the version. */
function supportedMethods(version: string): Buffer {
  const text = Buffer.from(version);
  const message = Buffer.concat([Buffer.from([0x12, text.length]), text]);
  return Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]);
}

const permissionDenied = 7;

function end(stream: ServerHttp2Stream, status: number, message?: Buffer): void {
  const denial = status === permissionDenied ? { exception: 'access-denied' } : {};
  stream
    .on('error', () => undefined)
    .on('wantTrailers', () => {
      stream.sendTrailers({ 'grpc-status': String(status), ...denial });
      if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
    });
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.end(message);
  stream.resume();
}
