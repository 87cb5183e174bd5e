import type { Scope } from '@scriptorium/platform';
import { library, type Library } from './library.js';

/**
 * Has the library of an organization judge something before it is recorded elsewhere. It reads only what was added
 * since the last command of this process, whereas a library with thousands of spaces is a long stream. `judgement`
 * refuses by throwing; it is not asked for a request that was carried out before.
 */
export async function judgeByLibrary(
  { store }: Pick<Scope, 'store'>,
  organization: string,
  judgement: (state: Library) => void,
): Promise<void> {
  const decide = (state: Library): [] => {
    judgement(state);
    return [];
  };
  await store.handle(library, organization, decide, { wait: false });
}
