import type { InputOf, uploadStorage } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import type { FileStore } from './file-store.operational.js';
import { signatureOf } from './signed-urls.js';
import { uploadLastsMs } from './upload-sweeper.process.js';
import { countUnused, findUpload } from './uploads.operational.js';

/** How long bytes can be sent to an address, ms. */
const addressLastsMs = 3_600_000;

/** Begins an upload. @throws AppError `limit_reached` */
export async function beginUpload(
  call: Call,
  files: FileStore,
  organization: string,
  { file, kind }: InputOf<typeof uploadStorage>['body'],
): Promise<{ url: string; key: string }> {
  const id = call.idFor('upload');
  const user = call.principal.id;
  const made = async () => (await findUpload(call, id, call.now())) !== undefined;
  const { name, type, size } = file;
  const endsAt = call.now() + uploadLastsMs;
  const upload = { organization, user, kind, name, type, size, bytes: null, used: false, endsAt };
  const uploads = async () => ({ present: await countUnused(call, organization, user), more: 1 });
  const bytes = async () => ({ present: await files.bytesOf(organization), more: size });
  await call.quotas.within(
    { limit: 'unusedUploadsPerUser', of: `${organization}:${user}`, most: 1, look: uploads, made },
    () =>
      call.quotas.within({ limit: 'fileBytesPerOrganization', of: organization, most: size, look: bytes, made }, () =>
        files.putAside(id, upload, call.requestId),
      ),
  );
  const expires = Math.floor((call.now() + addressLastsMs) / 1_000);
  const signature = signatureOf(call.keys, ['put', id, expires]);
  return { url: `${files.origin}/uploads/${id}?expires=${expires}&signature=${signature}`, key: id };
}
