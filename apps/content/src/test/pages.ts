import { expect } from '@jest/globals';
import type { Rig } from './rig.js';

/** A change that adds a page. */
export function page(title: string, markdown = '', more: object = {}): object {
  return { operation: 'insert_page', title, document: { markdown }, ...more };
}

/** Changes the main content of a space; the ids of what the changes name, by these names. */
export async function changeContentOf(
  rig: Pick<Rig, 'send'>,
  space: string,
  changes: readonly object[],
): Promise<Record<string, string>> {
  const answer = await rig.send('POST', `/spaces/${space}/content`, { body: { changes } });
  expect(answer.status).toBe(200);
  return answer.body['refs'] as Record<string, string>;
}
