import { AppError, type Principal } from '@scriptorium/contracts';
import type { Call, ServiceContext } from '@scriptorium/platform';
import type { FileRequest } from '../serving/file-requests.process.js';
import type { FileServer } from '../serving/file-server.process.js';
import type { FileStore } from '../store/file-store.operational.js';
import type { FileAnswer } from '../store/give-file.process.js';
import { findUpload } from '../store/uploads.operational.js';
import {
  dropLookFile,
  dropLookFilesOf,
  findLookFile,
  lookFilesKeptBefore,
  poolOfLook,
  putLookFile,
  versionOf,
  type LookFile,
} from './look-files.operational.js';

/** Another content has another address. */
const cached = 'public, max-age=31536000, immutable';
/** A site may be shown at any address, and a browser loads fonts of another one only where that is allowed. */
const forAllPages = { 'access-control-allow-origin': '*' };
/** What nothing uses is kept for so long: a request may be about to use it, ms. */
const unusedForMs = 3_600_000;
/** The kinds of uploads that a look can show. */
const shown = new Set(['organization_file', 'customization_font', 'space_file']);

/** A file of a look, as its uploads were kept. */
export interface KeptLookFile {
  upload: string;
  url: string;
  contentType: string;
}

/** Files that looks of sites show. They are served at addresses that hold for as long as a look uses them. */
export class LookFiles {
  readonly #context: ServiceContext;
  readonly #files: FileStore;

  constructor(context: ServiceContext, files: FileStore, server: FileServer) {
    this.#context = context;
    this.#files = files;
    server.serve('looks', (request) => this.#answer(request));
  }

  /**
   * Keeps uploads of the caller for the look of a site. Those that are not there, are not the caller's or have no
   * bytes yet are left out.
   * @throws AppError `limit_reached`
   */
  async keep(
    call: Call<Principal | null>,
    { organization, site, uploads }: { organization: string; site: string; uploads: readonly string[] },
  ): Promise<KeptLookFile[]> {
    const kept: KeptLookFile[] = [];
    for (const upload of new Set(uploads)) {
      const found = await findUpload(call, upload, call.now());
      const isTheirs = found?.organization === organization && found.user === call.principal?.id;
      if (!isTheirs || !shown.has(found.kind) || found.bytes === null) continue;
      const { hash, contentType } = found.bytes;
      const pool = poolOfLook(site);
      await this.#files.keep(call, { organization, pool }, [{ upload, hash, size: found.size }]);
      const { name, size } = found;
      const file = { organization, site, hash, size, name, contentType, keptAt: call.now() };
      if (!call.store.dry) await putLookFile(call, file);
      kept.push({ upload, url: this.#urlOf(file), contentType });
    }
    return kept;
  }

  /** Drops what the look of a site does not use any more. `used`: the addresses that it uses. Safe to repeat. */
  async dropUnused(call: Call<Principal | null>, site: string, used: readonly string[]): Promise<void> {
    const before = call.now() - unusedForMs;
    // Equal bytes have one record, whatever the names in their addresses.
    const isUsed = (file: LookFile): boolean => used.some((url) => url.includes(pathOf(file)));
    for (const file of await lookFilesKeptBefore(call, site, before))
      if (!isUsed(file) && (await dropLookFile(call, file, before)))
        await this.#files.remove(poolOfLook(site), { names: [file.hash], before });
  }

  /** Drops all files of the look of a site. Safe to repeat. */
  async dropAll(site: string): Promise<void> {
    await this.#files.dropPool(poolOfLook(site));
    await dropLookFilesOf(this.#context, site);
  }

  #urlOf({ site, hash, name }: { site: string; hash: string; name: string }): string {
    return `${this.#files.origin}${pathOf({ site, hash })}${encodeURIComponent(name)}`;
  }

  async #answer({ method, parts, headers }: FileRequest): Promise<FileAnswer> {
    const [site = '', version = '', ...more] = parts;
    const file = more.length === 1 ? await findLookFile(this.#context, site, version) : undefined;
    if (file === undefined) throw new AppError('not_found');
    const answer = await this.#files.give(poolOfLook(site), file, cached, { method, headers });
    return { ...answer, headers: { ...answer.headers, ...forAllPages } };
  }
}

/** What names the bytes in the addresses of a file. */
function pathOf({ site, hash }: Pick<LookFile, 'site' | 'hash'>): string {
  return `/looks/${site}/${versionOf(hash)}/`;
}
