import { Translation } from '@scriptorium/contracts';
import { eventually, type Answer, type Person, type Rig } from './rig.js';
import { makeSpace } from './spaces.js';

/** Requests about the translations of an organization. */
export function translationsOf(rig: Pick<Rig, 'send' | 'organization'>, organization = rig.organization) {
  const send = (method: string, rest: string, body?: unknown, by?: Person): Promise<Answer> =>
    rig.send(method, `/orgs/${organization}/translations${rest}`, {
      ...(body !== undefined && { body }),
      ...(by && { token: by.token }),
    });
  const get = async (id: string): Promise<Translation> => Translation.parse((await send('GET', `/${id}`)).body);
  /** A translation of a space, which is made unless it is given. */
  const create = async (language: string, space?: string, more: object = {}): Promise<Translation> => {
    const source = { space: space ?? (await makeSpace(rig, { title: 'Source' })) };
    const answer = await send('POST', '', { language, source, ...more });
    if (answer.status !== 201) throw new Error(`POST was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return Translation.parse(answer.body);
  };
  /** The translation once no run is at work or waited for. */
  const completed = async (id: string): Promise<Translation> => {
    await eventually(async () => (await get(id)).status === 'completed', 30_000);
    return get(id);
  };
  return { send, get, create, completed };
}
