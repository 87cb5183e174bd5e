import { AppError } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import { hasBytes, type FileStore } from '../../versions/index.js';
import type { writeYaml } from './processing/compile-spec.task.js';
import { bytesOf, dropBytes, keepBytes, poolOf } from './spec-bytes.operational.js';
import { specDocuments } from './spec.projection.js';
import { dropTexts, findTexts, keepText, yamlNameOf } from './spec-texts.operational.js';

const yamlTask = workerTask<typeof writeYaml>({
  name: 'write_spec_yaml',
  module: compiledModule('./processing/compile-spec.task.js', import.meta.url),
  run: 'writeYaml',
  withinMs: 20_000,
});
const waitMs = 30_000;
/** Documents that one process writes as YAML at a time. */
const mostAtOnce = 2;

/** Where a specification is. */
interface Place {
  organization: string;
  spec: string;
}

/** Documents of versions as YAML: written when they are first asked for, and kept beside the other forms. */
export class SpecYaml {
  readonly #underWay = new Map<string, Promise<string>>();

  constructor(private readonly files: FileStore) {}

  /** The SHA-256 of the YAML of a document, whose bytes are among the forms. @throws AppError `unavailable` */
  async hashOf(scope: Scope, { organization, spec }: Place, document: string): Promise<string> {
    const name = yamlNameOf(document);
    const known = (await findTexts(scope, [{ spec, name }])).get(`${spec}/${name}`)?.yaml;
    if (known !== undefined && (await hasBytes(scope, this.files, poolOf({ spec, part: 'forms' }), known)))
      return known;
    const key = `${spec}/${document}`;
    const begun = this.#underWay.get(key);
    if (begun !== undefined) return begun;
    if (this.#underWay.size >= mostAtOnce)
      throw new AppError('unavailable', [], { message: 'Too many documents are being written', retryAfter: 2 });
    const hash = this.#write(scope, { organization, spec }, document).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, hash);
    return hash;
  }

  async #write(scope: Scope, { organization, spec }: Place, document: string): Promise<string> {
    const forms = { organization, spec, part: 'forms' } as const;
    const bytes = await bytesOf(this.files, forms, document);
    const text = await scope.workers.run(yamlTask, bytes, { deadline: Date.now() + waitMs });
    const yaml = await this.#keep(scope, forms, Buffer.from(text));
    await keepText(scope, spec, yamlNameOf(document), { yaml });
    // It was deleted meanwhile: what was written after that goes, too.
    if ((await scope.store.read(specDocuments).byId(spec)) === null) {
      await dropTexts(scope, spec);
      await dropBytes(this.files, spec);
    }
    return yaml;
  }

  async #keep(scope: Scope, forms: Parameters<typeof keepBytes>[2], bytes: Buffer): Promise<string> {
    try {
      return await keepBytes(scope, this.files, forms, bytes);
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'limit_reached') throw error;
      // Whoever reads it can do nothing about what others store.
      throw new AppError('unavailable', [], { message: 'There is no room for the document as YAML', cause: error });
    }
  }
}
