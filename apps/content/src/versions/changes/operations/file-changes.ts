import type { ContentChange, ContentChangeResult } from '@scriptorium/contracts';
import { isSame } from '@scriptorium/tree';
import type { FileRecord, StagedFile } from '../../files/index.js';
import { keys } from '../../pages/index.js';
import { impossible, type At, type ChangeContext } from '../context.js';
import { idOf } from '../references.js';

type Of<O extends ContentChange['operation']> = Extract<ContentChange, { operation: O }>;

export function insertFiles(context: ChangeContext, at: At, change: Of<'insert_files'>): Promise<ContentChangeResult> {
  const files = change.files.map(({ name, ref }, index) => {
    const path = `${at.path}.files[${index}]`;
    const id = ref === undefined ? context.newId(path) : idOf(context, ref);
    context.draft.put(keys.file(id), { name, ...requireBytes(context, { path }) });
    context.note('file_created', id);
    return { ...shown(context, id, name), ...(ref === undefined ? {} : { ref }) };
  });
  return Promise.resolve({ object: 'created_files', files });
}

export async function updateFile(
  context: ChangeContext,
  at: At,
  change: Of<'update_file'>,
): Promise<ContentChangeResult> {
  const { id, record } = await requireFile(context, at, change.file);
  const { name = record.name } = change;
  const staged = context.bytesAt(at.path);
  const { importedFrom } = record;
  const next =
    staged === undefined
      ? { ...record, name }
      : { name, ...bytesIn(staged), ...(importedFrom === undefined ? {} : { importedFrom }) };
  if (!isSame(record, next)) {
    context.draft.put(keys.file(id), next);
    context.note('file_edited', id);
  }
  return { object: 'updated_file', file: shown(context, id, name) };
}

export async function deleteFile(
  context: ChangeContext,
  at: At,
  change: Of<'delete_file'>,
): Promise<ContentChangeResult> {
  const { id } = await requireFile(context, at, change.file);
  context.draft.remove(keys.file(id));
  context.note('file_deleted', id);
  return { object: 'deleted_file', file: id };
}

function requireBytes(context: ChangeContext, at: At): Omit<FileRecord, 'name'> {
  const staged = context.bytesAt(at.path);
  if (staged === undefined) throw impossible(at, undefined, 'Its bytes are missing');
  return bytesIn(staged);
}

function bytesIn({ hash, size, contentType, dimensions }: StagedFile): Omit<FileRecord, 'name'> {
  return { hash, size, contentType, ...(dimensions === undefined ? {} : { dimensions: { ...dimensions } }) };
}

async function requireFile(context: ChangeContext, at: At, named: string): Promise<{ id: string; record: FileRecord }> {
  const id = idOf(context, named);
  const record = (await context.draft.get(keys.file(id))) as FileRecord | undefined;
  if (record === undefined) throw impossible(at, 'file', 'There is no such file');
  return { id, record };
}

function shown({ location }: ChangeContext, id: string, name: string) {
  return { id, name, urls: { location: `${location}/files/${id}` } };
}
