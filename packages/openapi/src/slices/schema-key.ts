import { partsOf } from '../documents/pointers.js';

/**
 * The name under which the schema of a reference is handed out: that of the component (`Pet`), and the pointer for
 * anything else (`/paths/~1pets/…`). `null` for references to other documents.
 */
export function schemaKey(ref: string): string | null {
  const parts = partsOf(ref);
  if (parts === null) return null;
  const [, , name = ''] = parts;
  return parts.length === 3 && parts[0] === 'components' && parts[1] === 'schemas' ? name : ref.slice(1);
}
