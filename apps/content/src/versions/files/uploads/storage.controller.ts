import { ServiceAccess } from '@scriptorium/access';
import { uploadStorage, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import { beginUpload } from './begin-upload.process.js';
import { FileStore } from '../store/file-store.operational.js';

/** Uploads of files. */
@Controller()
export class StorageController {
  constructor(
    private readonly files: FileStore,
    private readonly access: ServiceAccess,
  ) {}

  @Handles(uploadStorage)
  async upload({ params, body }: InputOf<typeof uploadStorage>, call: Call) {
    const begun = await beginUpload(call, { files: this.files, access: this.access }, params.organizationId, body);
    return { object: 'storage-signed-url' as const, ...begun };
  }
}
