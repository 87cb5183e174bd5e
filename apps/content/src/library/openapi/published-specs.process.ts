import { AppError } from '@scriptorium/contracts';
import type { ServiceContext } from '@scriptorium/platform';
import type { FileAnswer, FileRequest, FileServer, FileStore } from '../../versions/index.js';
import { poolOf, requireBytes } from './spec-bytes.operational.js';
import { SpecYaml } from './spec-yaml.process.js';
import { requireSpec } from './specs.queries.js';
import { requireVersion } from './version-content.queries.js';

/** Asked about before each use: a specification that is hidden is gone at once. */
const cached = 'public, no-cache';
/** Pages of all origins may read what everybody may read. */
const forAll = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'etag' };
const nameForm = /^([a-zA-Z0-9-]{1,100})\.(json|yaml)$/;

/** Gives the newest version of public specifications to everybody. */
export class PublishedSpecs {
  readonly #context: ServiceContext;
  readonly #files: FileStore;
  readonly #yaml: SpecYaml;

  constructor(context: ServiceContext, files: FileStore, server: FileServer) {
    this.#context = context;
    this.#files = files;
    this.#yaml = new SpecYaml(files);
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
    const forms = { spec: spec._id, part: 'forms' } as const;
    await requireBytes(scope, this.#files, forms, document);
    const hash =
      format === 'json' ? document : await this.#yaml.hashOf(scope, { organization, spec: spec._id }, document);
    const record = { name, hash, size: 0, contentType: `application/${format}` };
    const answer = await this.#files.give(poolOf(forms), record, cached, request);
    return { ...answer, headers: { ...answer.headers, ...forAll } };
  }
}
