import { importBounds } from '@scriptorium/contracts';
import { getFileNameLowLevel } from 'yauzl';
import { unfit } from '../refusal.js';

const utf8Flag = 0x800;

/** The name of an entry. Tools write UTF-8 with and without saying so, old ones the letters of their system. */
export function decodeName(raw: Buffer, flags: number): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    if ((flags & utf8Flag) !== 0) throw unfit(raw.toString('latin1'), 'Its name is not UTF-8');
    return getFileNameLowLevel(flags, raw, [], false);
  }
}

/**
 * A name as a path within the archive, or as that of a folder, which ends with a slash. That of the archive itself is
 * `/`.
 * @throws AppError `content_change_invalid` for one that leads out of it
 */
export function safePath(name: string): string {
  const path = name.replaceAll('\\', '/').normalize('NFC');
  const shown = path.replace(/\p{Cc}/gu, '?').slice(0, 256);
  if (path === '' || /\p{Cc}/u.test(path)) throw unfit(shown, 'Its name has control characters, or is empty');
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) throw unfit(shown, 'Its name is absolute');
  const parts = path.split('/').filter((part, index, all) => part !== '.' && (part !== '' || index === all.length - 1));
  if (parts.includes('..')) throw unfit(shown, 'Its name leads out of the archive');
  if (Buffer.byteLength(path) > importBounds.pathBytes) throw unfit(shown, 'Its name is too long');
  return parts.join('/') || '/';
}

/** What tools and systems leave in folders. */
const leftovers = /(^|\/)(__MACOSX|\.git|\.svn|\.hg|node_modules)\/|(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/;

export function isLeftover(path: string): boolean {
  return leftovers.test(path);
}
