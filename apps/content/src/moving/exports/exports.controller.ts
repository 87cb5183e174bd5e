import { ServiceAccess } from '@scriptorium/access';
import { exportSpace, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { showContent } from '../../reading/index.js';
import { FileStore, ContentObjects, slugOf } from '../../versions/index.js';
import { spaces } from '../../library/index.js';
import { exportUrl } from './export-address.process.js';

/** Exports of spaces. */
@Controller()
export class ExportsController {
  constructor(
    private readonly access: ServiceAccess,
    private readonly objects: ContentObjects,
    private readonly files: FileStore,
  ) {}

  @Handles(exportSpace)
  async export({ params }: InputOf<typeof exportSpace>, call: Call) {
    const { access, objects } = this;
    return showContent(call, { access, objects }, { params }, async (scope, { space, revision, also, files }) => {
      // The address ends, and it has the title in it.
      const { title = '' } = (await scope.store.read(spaces).byId(space)) ?? {};
      const name = `${asciiOf(slugOf(title))}.zip`;
      also.push(files.until, name);
      return { url: exportUrl(scope, this.files.origin, { space, revision, name }) };
    });
  }
}

/** A name for a header and an address; `space` when it has no Latin letters. */
function asciiOf(name: string): string {
  const plain = name.replace(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '');
  return plain === '' ? 'space' : plain;
}
