import { AppError } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { followSource, space } from '../space.js';

/** Changes of grants that are recorded at once. */
const mostAtOnce = 500;
/** How often the result is compared with its source. */
const mostTries = 100;

/** The result of a translation, and what it is made of. */
interface ResultOf {
  id: string;
  translation: string;
  source: string;
}

/**
 * The result grants what its source does. What is granted or taken back later on the source is taken over by a reactor,
 * which records nothing on a result that does not grant it yet. So this ends only when a comparison finds no
 * difference: otherwise a grant that was taken back between reading and writing would stay. Safe to repeat.
 * @throws AppError `unavailable` when the source changes again and again
 */
export async function grantAsSource(
  store: Pick<StoreScope, 'load'>,
  here: StoreScope,
  { id, translation, source }: ResultOf,
): Promise<void> {
  // Each comparison has to be carried out: a command that repeats a key is not decided again.
  const unkeyed = here.keyed(undefined);
  for (let n = 0; n < mostTries; n += 1) {
    const wanted = await store.load(space, source);
    const { events } = await unkeyed.handle(
      space,
      id,
      (state) => followSource(state, wanted, { translation }).slice(0, mostAtOnce),
      { wait: false },
    );
    if (events.length === 0) return;
  }
  throw new AppError('unavailable', [], {
    message: 'The grants of the source change at this moment',
    retryAfter: 1,
  });
}
