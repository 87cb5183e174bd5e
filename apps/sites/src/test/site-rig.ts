import { startRig, type Answer, type Person, type Rig } from './rig.js';

/** A rig with an organization whose sites a spec is about, and people in it. */
export interface SiteRig<R extends Rig = Rig> {
  rig: R;
  org: string;
  creator: Person;
  editor: Person;
  reader: Person;
  guest: Person;
  stranger: Person;
  /** Creates a space; its id. */
  space(title: string, person?: Person): Promise<string>;
  /** Creates a site; its path. */
  site(body?: object): Promise<string>;
}

export async function startSiteRig(...given: Parameters<typeof startRig>): Promise<SiteRig> {
  return createPeople(await startRig(...given));
}

/** Creates the people of a `SiteRig`. */
export async function createPeople<R extends Rig>(rig: R): Promise<SiteRig<R>> {
  const org = `/orgs/${rig.organization}`;
  const [creator, editor, reader, guest] = [
    await rig.member('Cre Ator', 'create'),
    await rig.member('Edi Tor', 'edit'),
    await rig.member('Rea Der', 'read'),
    await rig.member('Gu Est', null),
  ];
  const made = async (path: string, body: object, { token }: Person = rig.owner): Promise<string> => {
    const answer = await rig.send('POST', path, { token, body });
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    return String(answer.body['id']);
  };
  return {
    rig,
    org,
    creator,
    editor,
    reader,
    guest,
    stranger: await rig.person('Stran Ger'),
    space: (title, person) => made(`${org}/spaces`, { title, empty: true }, person),
    site: async (body = {}) => `${org}/sites/${await made(`${org}/sites`, body)}`,
  };
}

/** What a refusal says: status, reason and the field it names. */
export function refusal({ status, body }: Answer): unknown[] {
  return [status, body?.error?.reason, body?.error?.details?.[0]?.path];
}
