import type { ServiceAccess } from '@scriptorium/access';
import { AppError, lacksLevel, roleAtLeast, type InputOf, type uploadStorage } from '@scriptorium/contracts';
import type { Call } from '@scriptorium/platform';
import type { FileStore } from '../store/file-store.operational.js';
import { signatureOf } from '../store/signed-urls.js';
import { uploadLastsMs } from '../store/upload-sweeper.process.js';
import { countUnused, findUpload, unusedBytesOfUser } from '../store/uploads.operational.js';

/** How long bytes can be sent to an address, ms. */
const addressLastsMs = 3_600_000;

/**
 * Begins an upload of somebody who may edit the organization, or any space or collection of it: bytes that are only
 * declared count, too, so whoever may use none must not take the room of the others.
 * @throws AppError `forbidden`, `limit_reached`
 */
export async function beginUpload(
  call: Call,
  { files, access }: { files: FileStore; access: ServiceAccess },
  organization: string,
  { file, kind }: InputOf<typeof uploadStorage>['body'],
): Promise<{ url: string; key: string }> {
  await requireEditor(call, access, organization);
  const id = call.idFor('upload');
  const user = call.principal.id;
  const made = async () => (await findUpload(call, id, call.now())) !== undefined;
  const { name, type, size } = file;
  const endsAt = call.now() + uploadLastsMs;
  const upload = { organization, user, kind, name, type, size, bytes: null, used: false, endsAt };
  const own = `${organization}:${user}`;
  const uploads = async () => ({ present: await countUnused(call, organization, user), more: 1 });
  const ownBytes = async () => ({ present: await unusedBytesOfUser(call, organization, user), more: size });
  const bytes = async () => ({ present: await files.bytesOf(organization), more: size });
  await call.quotas.within({ limit: 'unusedUploadsPerUser', of: own, most: 1, look: uploads, made }, () =>
    call.quotas.within({ limit: 'unusedUploadBytesPerUser', of: own, most: size, look: ownBytes, made }, () =>
      call.quotas.within({ limit: 'fileBytesPerOrganization', of: organization, most: size, look: bytes, made }, () =>
        files.putAside(id, upload, call.store.context.correlation),
      ),
    ),
  );
  const expires = Math.floor((call.now() + addressLastsMs) / 1_000);
  const signature = signatureOf(call.keys, ['put', id, expires]);
  return { url: `${files.origin}/uploads/${id}?expires=${expires}&signature=${signature}`, key: id };
}

async function requireEditor(call: Call, access: ServiceAccess, organization: string): Promise<void> {
  if (roleAtLeast(call.access.role ?? null, 'edit')) return;
  const place = await access.placeIn(call, organization, call.principal);
  if (place === null) throw new AppError('not_found');
  const { nodes, member } = await access.viewerAt(call, place);
  const { spaces, collections } = nodes.visibleTo(member, 'edit');
  if (spaces.length + collections.length === 0)
    throw lacksLevel('edit', 'organization, or on a space or collection of it');
}
