import { ServerError } from '../bson/errors.js';

/** Refuses what cannot be a path of fields. */
export function checkFieldPath(path: string): void {
  if (path === '') throw new ServerError(40352, 'FieldPath cannot be constructed with empty string');
  if (path.endsWith('.')) throw new ServerError(40353, "FieldPath must not end with a '.'.");
  for (const name of path.split('.')) {
    if (name === '') throw new ServerError(15998, 'FieldPath field names may not be empty strings.');
    if (name.startsWith('$')) throw startsWithDollar();
  }
}

/** Refuses what cannot be the name of one field of an expression. */
export function checkFieldName(name: string): void {
  if (name.startsWith('$')) throw startsWithDollar();
  if (name.includes('.'))
    throw new ServerError(16412, "FieldPath field names may not contain '.'. Consider using $getField or $setField.");
}

const startsWithDollar = (): ServerError =>
  new ServerError(16410, "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
