import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createGateway, createRecentWrites } from '@scriptorium/gateway';
import { create as createIdentity } from '@scriptorium/identity';
import { settings as identitySettings } from '@scriptorium/identity/settings';
import type { App } from '@scriptorium/platform';
import { asOneClient, startOwnRig, type OwnRig } from '@scriptorium/testing/own-rig';
import { create } from '../../create.js';
import { settings } from '../../settings.js';
import { specsOf } from '../../test/openapi-specs.js';
import { startOtherSide, type OtherSide } from '../../test/other-side.js';

jest.setTimeout(60_000);

describe('requests that wait until a specification is read', () => {
  let rig: OwnRig;
  let other: OtherSide;
  let content: App | undefined;
  beforeEach(async () => {
    other = await startOtherSide();
    rig = await startOwnRig({
      services: [
        {
          name: 'content',
          create: async (...given: Parameters<typeof create>) => (content = await create(...given)),
          settings,
        },
        { name: 'identity', create: createIdentity, settings: identitySettings },
      ],
      startGateway: (defaults) => createGateway(defaults, { recentWrites: asOneClient(createRecentWrites()) }),
      variables: { OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8' },
    });
  }, 60_000);
  afterEach(async () => {
    other.stop();
    await rig.stop();
  });

  it('are answered without it when the service stops', async () => {
    const asked = new Promise<void>((resolve) => other.pages.set('/never', () => resolve()));
    const source = { url: `${other.origin}/never` };
    const answer = specsOf(rig).send('PUT', '/slow', { body: { source }, headers: { prefer: 'wait=25' } });
    await asked;
    const begun = performance.now();
    await content?.stop();
    const { status, body, headers } = await answer;
    expect([status, headers.get('preference-applied')]).toEqual([201, null]);
    expect(['pending', 'progress']).toContain(body['processingState']);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});
