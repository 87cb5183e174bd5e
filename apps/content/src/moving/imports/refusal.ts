import { AppError } from '@scriptorium/contracts';

/** Something that an import cannot be made of. `path`: the file of the archive that it is about. */
export function unfit(path: string, message: string): AppError {
  return new AppError('content_change_invalid', [{ path, message }], { message: `${path}: ${message}` });
}

/** Too much of something. */
export function tooLarge(path: string, message: string): AppError {
  return new AppError('too_large', [{ path, message }], { message: `${path}: ${message}` });
}

/** @throws AppError `import_empty` for what would leave nothing of the content that it replaces */
export function requirePages(
  { mode, allowEmpty = false }: { mode: 'add' | 'replace'; allowEmpty?: boolean },
  pages: number,
): void {
  if (mode === 'replace' && pages === 0 && !allowEmpty) throw new AppError('import_empty');
}
