import { fileServers } from '@scriptorium/contracts';
import { ByteServer, type ServiceContext } from '@scriptorium/platform';
import { createFileHandler, type FileRoutes } from './file-requests.process.js';
import type { FileStore } from '../store/file-store.operational.js';
import type { FilesSettings } from '../files.settings.js';

type Route = NonNullable<ReturnType<FileRoutes['get']>>;

/** Longer than a store may take to give bytes their name. */
const idleMs = 150_000;

/** Gives bytes to gateways and takes them, over HTTP: they are too many for messages. */
export class FileServer {
  readonly #server: ByteServer;
  readonly #routes = new Map<string, Route>();

  constructor(context: ServiceContext, files: FileStore, { FILES_HOST, FILES_PORT, FILES_URL }: FilesSettings) {
    const handle = createFileHandler(context, files, this.#routes);
    this.#server = new ByteServer({
      messaging: context.messaging,
      subject: fileServers,
      host: FILES_HOST,
      port: FILES_PORT,
      url: FILES_URL,
      setting: 'FILES_URL',
      idleMs,
      handle: (request, response) => handle(request, response, () => undefined),
      handleExpecting: (request, response) => handle(request, response, () => response.writeContinue()),
    });
  }

  /** Has another domain answer GET and HEAD of paths that begin with a part. */
  serve(part: string, answer: Route): void {
    this.#routes.set(part, answer);
  }

  start(): Promise<void> {
    return this.#server.start();
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}
