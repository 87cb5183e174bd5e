import { AppError } from '@scriptorium/contracts';
import { headOf, textOf, unpack } from '../archive/unpack.task.js';
import { partKey, rangeOf, type Range } from '../entry.js';
import { frontOf, headRangeOf } from '../navigation/front.js';
import type { NavigationReader } from '../navigation/read-navigation.js';
import type { Files } from '../folder.js';
import { tooLarge } from '../refusal.js';

/** Bytes of a file with settings of another product. */
const smallBytes = 512 * 1024;

export interface PartReader extends NavigationReader {
  /** @throws AppError `too_large` and `content_change_invalid` */
  text: (files: Files, path: string, most: number) => string | undefined;
  needs: Range[];
}

/** Reads files of which the parts are there, by their keys, and notes the others in `needs`. */
export function partReader(parts: Readonly<Record<string, Uint8Array>>): PartReader {
  const needs: Range[] = [];
  const text: PartReader['text'] = (files, path, most) => {
    const entry = files.get(path);
    if (entry === undefined) return undefined;
    if (entry.size > most) throw tooLarge(path, `It has at most ${most} bytes`);
    const range = rangeOf(entry);
    const part = parts[partKey(range)];
    if (part === undefined) {
      needs.push(range);
      return undefined;
    }
    return textOf(path, unpack(path, entry, part));
  };
  const front: PartReader['front'] = (entry) => {
    const range = headRangeOf(entry);
    const part = parts[partKey(range)];
    if (part === undefined) needs.push(range);
    return part && frontOf(headOf(entry, part));
  };
  const small: PartReader['small'] = (files, path) => {
    if ((files.get(path)?.size ?? 0) > smallBytes) return undefined;
    try {
      return text(files, path, smallBytes);
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  };
  return { needs, text, small, front };
}
