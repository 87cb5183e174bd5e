import { AppError } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Scope, type ServiceContext } from '@scriptorium/platform';
import { Readable } from 'node:stream';
import type { FileAnswer, FileRequest, FileServer, FileStore } from '../../versions/index.js';
import type { writeYaml } from './processing/compile-spec.task.js';
import { bytesOf, poolOf, requireBytes } from './spec-bytes.operational.js';
import { requireSpec } from './specs.queries.js';
import { requireVersion } from './version-content.queries.js';

const yamlTask = workerTask<typeof writeYaml>({
  name: 'write_spec_yaml',
  module: compiledModule('./processing/compile-spec.task.js', import.meta.url),
  run: 'writeYaml',
  withinMs: 20_000,
});
const waitMs = 30_000;
/** Documents that one process writes as YAML at a time. */
const mostAtOnce = 2;

/** Asked about before each use: a specification that is hidden is gone at once. */
const cached = 'public, no-cache';
/** Pages of all origins may read what everybody may read. */
const forAll = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'etag' };
const nameForm = /^([a-zA-Z0-9-]{1,100})\.(json|yaml)$/;

/** Gives the newest version of public specifications to everybody. */
export class PublishedSpecs {
  readonly #context: ServiceContext;
  readonly #files: FileStore;
  #underWay = 0;

  constructor(context: ServiceContext, files: FileStore, server: FileServer) {
    this.#context = context;
    this.#files = files;
    server.serve('openapi', (request) => this.#answer(request));
  }

  /** @throws AppError `not_found` for everything that is not public, `unavailable` */
  async #answer(request: FileRequest): Promise<FileAnswer> {
    const [organization = '', name = '', ...more] = request.parts;
    const [, slug, format] = nameForm.exec(name) ?? [];
    if (slug === undefined || more.length > 0) throw new AppError('not_found');
    const context = { actor: { kind: 'system' as const, id: 'openapi' }, operation: 'readOpenAPISpec' };
    const correlation = request.requestId;
    const scope = this.#context.scope(this.#context.store.scope({ ...context, organization, correlation }, {}));
    const spec = await requireSpec(scope, organization, slug);
    if (spec.visibility !== 'public') throw new AppError('not_found');
    const { document } = await requireVersion({ scope, spec }, undefined);
    await requireBytes(scope, this.#files, { spec: spec._id, part: 'forms' }, document);
    const answer =
      format === 'json'
        ? await this.#json(spec._id, { document, name }, request)
        : await this.#yaml(scope, spec._id, document, request);
    return { ...answer, headers: { ...answer.headers, ...forAll } };
  }

  #json(
    spec: string,
    { document: hash, name }: { document: string; name: string },
    request: FileRequest,
  ): Promise<FileAnswer> {
    const record = { name, hash, size: 0, contentType: 'application/json' };
    return this.#files.give(poolOf({ spec, part: 'forms' }), record, cached, request);
  }

  async #yaml(
    scope: Scope,
    spec: string,
    document: string,
    { method, headers: given }: FileRequest,
  ): Promise<FileAnswer> {
    const etag = `"${document}-yaml"`;
    const headers = {
      etag,
      'cache-control': cached,
      'content-type': 'application/yaml',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    };
    const known = (given['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
    if (known.includes(etag)) return { status: 304, headers };
    if (method === 'HEAD') return { status: 200, headers };
    const text = await this.#counted(async () => {
      const bytes = await bytesOf(this.#files, { spec, part: 'forms' }, document);
      return scope.workers.run(yamlTask, bytes, { deadline: Date.now() + waitMs });
    });
    return { status: 200, headers, body: Readable.from([Buffer.from(text)]) };
  }

  async #counted<T>(work: () => Promise<T>): Promise<T> {
    if (this.#underWay >= mostAtOnce)
      throw new AppError('unavailable', [], { message: 'Too many documents are being written', retryAfter: 2 });
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
    }
  }
}
