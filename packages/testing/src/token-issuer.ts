import type { ContentTokenPayload } from '@scriptorium/contracts';
import { connectMessaging } from '@scriptorium/messaging';
import { issueContentToken } from '@scriptorium/platform/content-token';
import { parseKeyring } from '@scriptorium/platform/keyring';
import { randomUUID } from 'node:crypto';
import type { Rig } from './rig.js';

/** Issues content tokens, and says in the place of the service of sites what they open. */
export interface TokenIssuer {
  /** A token of a visitor of these spaces, the first of which it is made for. */
  visit(spaces: string[], claims?: object, more?: Partial<ContentTokenPayload>): Promise<string>;
  close(): Promise<void>;
}

export async function startIssuer(rig: Rig): Promise<TokenIssuer> {
  const { NATS_URL: url, NAMESPACE: namespace, SECRET_KEYS } = rig.config;
  const messaging = await connectMessaging({ url, name: 'sites', namespace });
  const keys = parseKeyring(SECRET_KEYS);
  const opened = new Map<number, string[]>();
  let issued = 0;
  await messaging.serve('sites', {
    handle: ({ body }) => {
      const { generation } = JSON.parse(new TextDecoder().decode(body)) as ContentTokenPayload;
      return Promise.resolve({
        headers: {},
        body: Buffer.from(JSON.stringify({ spaces: opened.get(generation) ?? null })),
      });
    },
  });
  return {
    visit(spaces, claims = {}, more = {}) {
      const generation = (issued += 1);
      opened.set(generation, spaces);
      const payload: ContentTokenPayload = {
        kind: 'site',
        organization: rig.organization,
        site: 'site_1',
        space: spaces[0] ?? '',
        spaces: [],
        claims: { ...claims },
        visitorType: 'human',
        generation,
        ...more,
      };
      return Promise.resolve(issueContentToken(keys, payload, { id: randomUUID(), now: Date.now() }));
    },
    close: () => messaging.close(),
  };
}
