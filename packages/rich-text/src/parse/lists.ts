import { block } from '../model/build.js';
import { type Block } from '../model/types.js';

const isTask = ({ data }: Block): boolean => 'checked' in data;

/**
 * The items as lists: those with a box are lists of tasks, the others lists of the given kind, numbered on from
 * `start`.
 */
export function listsOf(items: Block[], ordered: boolean, start: number): Block[] {
  const lists: Block[] = [];
  items.forEach((item, at) => {
    const tasks = isTask(item);
    const last = lists[lists.length - 1];
    if (last && (last.type === 'list-tasks') === tasks) return void last.nodes?.push(item);
    const number = start + at;
    lists.push(
      block(
        tasks ? 'list-tasks' : ordered ? 'list-ordered' : 'list-unordered',
        ordered && !tasks && number !== 1 ? { start: number } : {},
        [item],
      ),
    );
  });
  return lists;
}
