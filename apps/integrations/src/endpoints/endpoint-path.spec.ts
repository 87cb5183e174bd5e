import { describe, expect, it } from '@jest/globals';
import { endpointPath } from './endpoint-path.js';

const of = (rest: string) => endpointPath(`/v1/integrations/Slack_2.0/${rest}`);
const name = 'Slack_2.0';

describe('the path of a public address', () => {
  it('names the integration, and what follows is for its script', () => {
    for (const rest of ['integration', 'integration?code=1', 'integration/oauth/..%2f', 'integration/'])
      expect(of(rest)).toEqual({ kind: 'integration', name });
    expect(of('content/a?b=/c')).toEqual({ kind: 'content', name });
  });

  it('names an installation, on a space or site if there is one', () => {
    const installation = 'i1';
    expect(of('installations/i1/oauth')).toEqual({ kind: 'installation', name, installation, target: null });
    for (const [part, kind] of Object.entries({ spaces: 'space', sites: 'site' }))
      expect(of(`installations/i1/${part}/p_1/oauth?x`)).toEqual({
        kind: 'installation',
        name,
        installation,
        target: { kind, id: 'p_1' },
      });
  });

  it('is that of a one-time address', () => {
    expect(of('callbacks/abc')).toEqual({ kind: 'callback', name, token: 'abc' });
  });

  it('is where an installation signs in the visitors of a site', () => {
    const login = { kind: 'visitor-login', name, installation: 'i1', site: 's_1' };
    expect(of('visitor-login/i1/s_1?location=a/b')).toEqual(login);
    for (const rest of ['visitor-login/i1', 'visitor-login/i1/s%2f', 'visitor-login/i1/s/else'])
      expect(of(rest)).toBeUndefined();
  });

  it.each([
    '',
    'else',
    'installations',
    'installations/',
    'installations/i%2f1',
    'installations/i1/spaces/',
    'callbacks',
  ])('is no other one: %s', (rest) => expect(of(rest)).toBeUndefined());

  it('begins as all of them do', () => {
    for (const url of ['/', '/v1/integrations', '/v1/integrations//integration', '/v1/integrations/a%2Fb/integration'])
      expect(endpointPath(url)).toBeUndefined();
  });
});
