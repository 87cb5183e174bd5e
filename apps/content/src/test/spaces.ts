import type { Answer, Rig } from './rig.js';

/**
 * Makes a space that has no content and is not locked, by the owner; its id. `within`: the path of its organization.
 */
export async function makeSpace(
  rig: Pick<Rig, 'send' | 'organization'>,
  body: object = {},
  within = `/orgs/${rig.organization}`,
): Promise<string> {
  const made = await rig.send('POST', `${within}/spaces`, { body: { editMode: 'live', empty: true, ...body } });
  return String(made.body['id']);
}

/** What a request was refused with: status, reason, and the first field that is named. */
export function refusal({ status, body: { error } }: Pick<Answer, 'status' | 'body'>) {
  return [status, error.reason, error.details?.[0]?.path];
}
