import {
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo } from 'node:net';
import { type Authorize } from './authorization.js';
import { Call } from './call.js';
import { RpcError, Status } from './status.js';

const MAX_CONNECTIONS = 1_000;
const MAX_CALLS_PER_CONNECTION = 1_000;
const CONNECTION_WINDOW = 4 * 1024 * 1024;
const STREAM_WINDOW = 1024 * 1024;
const GRACE_MS = 2_000;
/** Of the name of a call that an answer repeats. */
const LONGEST_PATH = 200;

export type Handler = (call: Call) => void;

/**
 * gRPC over node's HTTP/2: a frame can hold many messages, and events are sent as they are encoded
 * once, which a general gRPC library does not allow (it costs eight times as much per event).
 */
export class GrpcServer {
  private readonly server: Http2Server;
  private readonly sessions = new Set<ServerHttp2Session>();
  private readonly calls = new Set<Call>();
  private stopping = false;

  /** @param handlers by path, as `/package.Service/Method` */
  constructor(
    private readonly handlers: ReadonlyMap<string, Handler>,
    private readonly authorize: Authorize,
    private readonly logger: (line: string) => void,
  ) {
    this.server = createServer({
      settings: { maxConcurrentStreams: MAX_CALLS_PER_CONNECTION, initialWindowSize: STREAM_WINDOW },
      maxSessionMemory: 256,
    });
    this.server.maxConnections = MAX_CONNECTIONS;
    this.server.on('session', (session) => {
      this.accept(session);
    });
    this.server.on('stream', (stream, headers) => {
      this.open(stream, headers);
    });
    this.server.on('sessionError', () => undefined);
  }

  /** Resolves with the port. */
  async listen(host: string, port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    return (this.server.address() as AddressInfo).port;
  }

  /**
   * Takes nothing new, waits until what is under way is written and answered, ends every call as a stopping node does,
   * closes all connections.
   */
  async stop(idle: () => Promise<void>): Promise<void> {
    this.stopping = true;
    for (const call of this.calls) call.freeze();
    const closed = new Promise<void>((resolve) => {
      this.server.close(() => {
        resolve();
      });
    });
    await idle();
    // One turn for the answers that the last commit brought.
    await new Promise((resolve) => setImmediate(resolve));
    for (const call of this.calls) call.finish(new RpcError(Status.unavailable, 'Server is shutting down'));
    for (const session of this.sessions) session.close();
    const timer = setTimeout(() => {
      for (const session of this.sessions) session.destroy();
    }, GRACE_MS);
    await closed;
    clearTimeout(timer);
  }

  private accept(session: ServerHttp2Session): void {
    this.sessions.add(session);
    session.setLocalWindowSize(CONNECTION_WINDOW);
    session.on('error', () => undefined);
    session.on('close', () => this.sessions.delete(session));
  }

  private open(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const type = headers['content-type'] ?? '';
    if (headers[':method'] !== 'POST' || !type.startsWith('application/grpc')) {
      stream.on('error', () => undefined);
      stream.respond({ ':status': 415 }, { endStream: true });
      return;
    }
    const call = new Call(stream, headers);
    this.calls.add(call);
    call.onClose(() => this.calls.delete(call));
    if (this.stopping) {
      call.finish(new RpcError(Status.unavailable, 'Server is shutting down'));
      return;
    }
    const refusal = this.authorize(headers);
    if (refusal !== undefined) {
      call.finish(refusal);
      return;
    }
    const path = headers[':path'] ?? '';
    const handler = this.handlers.get(path);
    if (handler === undefined) {
      call.finish(
        new RpcError(Status.unimplemented, `The embedded server does not have ${path.slice(1, LONGEST_PATH)}`),
      );
      return;
    }
    try {
      handler(call);
    } catch (error) {
      this.logger(`a call failed: ${String(error)}`);
      call.finish(error);
    }
  }
}
