import type { ContentTokenPayload } from '@scriptorium/contracts';
import { connectMessaging } from '@scriptorium/messaging';
import { issueContentToken } from '@scriptorium/platform/content-token';
import { parseKeyring } from '@scriptorium/platform/keyring';
import { randomUUID } from 'node:crypto';
import type { Rig } from './rig.js';

/**
 * Issues content tokens, and says in the place of the service of sites what they open. Specs that run at the same time
 * share one queue of requests, so each issuer can answer for the tokens of all: the id of the site says what they open.
 */
export interface TokenIssuer {
  /** A token of a visitor of these spaces, the first of which it is made for. */
  visit(spaces: string[], claims?: object, more?: Partial<ContentTokenPayload>): Promise<string>;
  close(): Promise<void>;
}

export async function startIssuer(rig: Rig): Promise<TokenIssuer> {
  const { NATS_URL: url, NAMESPACE: namespace, SECRET_KEYS } = rig.config;
  const messaging = await connectMessaging({ url, name: 'sites', namespace });
  const keys = parseKeyring(SECRET_KEYS);
  await messaging.serve('sites', {
    handle: ({ body }) => {
      const { site } = JSON.parse(new TextDecoder().decode(body)) as Partial<ContentTokenPayload>;
      return Promise.resolve({ headers: {}, body: Buffer.from(JSON.stringify({ spaces: spacesOf(site) })) });
    },
  });
  return {
    visit(spaces, claims = {}, more = {}) {
      const payload: ContentTokenPayload = {
        kind: 'site',
        organization: rig.organization,
        site: siteOf(spaces),
        space: spaces[0] ?? '',
        spaces: [],
        claims: { ...claims },
        visitorType: 'human',
        generation: 1,
        ...more,
      };
      return Promise.resolve(issueContentToken(keys, payload, { id: randomUUID(), now: Date.now() }));
    },
    close: () => messaging.close(),
  };
}

const prefix = 'site_';

function siteOf(spaces: readonly string[]): string {
  return `${prefix}${Buffer.from(spaces.join(',')).toString('base64url')}`;
}

/** `null`: not asked about a token of these. */
function spacesOf(site = ''): string[] | null {
  return site.startsWith(prefix) ? Buffer.from(site.slice(prefix.length), 'base64url').toString().split(',') : null;
}
