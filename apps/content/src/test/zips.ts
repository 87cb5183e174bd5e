import { StorageSignedUrl } from '@scriptorium/contracts';
import type { Body } from '@scriptorium/testing';
import { fromBuffer, type Entry } from 'yauzl';
import yazl from 'yazl';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { eventually, type Rig } from './rig.js';

/** A zip of files by their paths. */
export async function zipOf(files: Readonly<Record<string, string | Uint8Array>>, compress = true): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [path, bytes] of Object.entries(files)) zip.addBuffer(Buffer.from(bytes), path, { compress });
  zip.end();
  return buffer(zip.outputStream as Readable);
}

/** Uploads bytes to be imported; the key of the upload. */
export async function uploaded(rig: Rig, name: string, bytes: Uint8Array, token?: string): Promise<string> {
  const begun = await rig.send('POST', `/orgs/${rig.organization}/storage/upload`, {
    body: { file: { name, type: 'application/octet-stream', size: bytes.length }, kind: 'import_file' },
    ...(token === undefined ? {} : { token }),
  });
  const { url, key } = StorageSignedUrl.parse(begun.body);
  const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) });
  if (answer.status !== 204) throw new Error(`The upload was answered with ${answer.status}`);
  return key;
}

/** An import as it is answered. */
export interface ShownImport extends Body {
  id: string;
  status: string;
  revision?: string;
  failure?: { reason: string; message: string; path?: string };
  pages: { id: string; title: string; path?: string; type: string; status: string }[];
  report: {
    pages: number;
    files: number;
    reusableContents: number;
    variables: number;
    warnings: { kind: string; path: string; target?: string; message?: string }[];
  };
}

/** Begins an import of a zip, and waits until it has ended. */
export async function imported(
  rig: Rig,
  space: string,
  files: Readonly<Record<string, string | Uint8Array>> | Buffer,
  more: { mode?: 'add' | 'replace'; outsideLinks?: string } = {},
): Promise<ShownImport> {
  const key = await uploaded(rig, 'archive.zip', Buffer.isBuffer(files) ? files : await zipOf(files));
  const { outsideLinks, ...rest } = more;
  const source = { type: 'file', files: [key], ...(outsideLinks === undefined ? {} : { outsideLinks }) };
  const path = `/orgs/${rig.organization}/imports`;
  const begun = await rig.send('POST', path, { body: { source, target: { space }, ...rest } });
  if (begun.status !== 201) throw new Error(`The import was refused: ${JSON.stringify(begun.body)}`);
  return ended(rig, String(begun.body['id']));
}

export async function ended(rig: Rig, id: string): Promise<ShownImport> {
  const path = `/orgs/${rig.organization}/imports/${id}`;
  const read = async () => (await rig.send('GET', path)).body as ShownImport;
  await eventually(async () => !['pending', 'in-progress'].includes((await read()).status), 60_000);
  return read();
}

/** The zip that the content of a space is exported as. */
export async function exported(rig: Rig, space: string): Promise<Buffer> {
  const { body } = await rig.send('GET', `/spaces/${space}/export`);
  const answer = await fetch(String(body['url']));
  if (answer.status !== 200) throw new Error(`The export was answered with ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** An empty space whose content is changed directly. */
export async function emptySpace(rig: Rig): Promise<string> {
  const made = await rig.send('POST', `/orgs/${rig.organization}/spaces`, { body: { editMode: 'live', empty: true } });
  return String(made.body['id']);
}

/** The files of a zip by their paths. */
export function filesOf(zip: Buffer): Promise<Record<string, Buffer>> {
  const files: Record<string, Buffer> = {};
  return new Promise((resolve, reject) => {
    fromBuffer(zip, { lazyEntries: true }, (failure, archive) => {
      if (failure !== null) return reject(failure);
      archive.on('error', reject);
      archive.on('end', () => resolve(files));
      archive.on('entry', (entry: Entry) => {
        archive.openReadStream(entry, (error, stream) => {
          if (error !== null) return reject(error);
          buffer(stream).then((bytes) => {
            files[entry.fileName] = bytes;
            archive.readEntry();
          }, reject);
        });
      });
      archive.readEntry();
    });
  });
}
