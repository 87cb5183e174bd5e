import { describe, expect, it } from '@jest/globals';
import { isReservedHostname } from '@scriptorium/contracts';
import { given } from '@scriptorium/event-sourcing/testing';
import { hostnameCandidate, hostnameOf } from './hostname.js';
import { configure, create, changeHostname, forgetSite, organization, remove, showFirst } from './organization.js';
import type { OrganizationEvent } from '../../events/organization.events.js';

const data = { title: 'Acme', hostname: 'acme', emailDomains: ['acme.example'], createdBy: 'ann' };
const created: OrganizationEvent = { type: 'OrganizationCreated', data: { ...data, claims: 'recorded' } };

describe('an organization', () => {
  it('is created once', () => {
    given(organization, [])
      .when((state) => create(state, data))
      .then([created]);
    given(organization, [created])
      .when((state) => create(state, data))
      .thenFails('already_exists');
  });

  it('is deleted once, and cannot be changed or created again', () => {
    const deleted: OrganizationEvent = { type: 'OrganizationDeleted', data: {} };
    given(organization, [created]).when(remove).then([deleted]);
    given(organization, [created, deleted]).when(remove).then([]);
    given(organization, []).when(remove).then([]);
    given(organization, [created, deleted])
      .when((state) => configure(state, { title: 'Again' }))
      .thenFails('not_found');
    given(organization, [created, deleted])
      .when((state) => create(state, data))
      .thenFails('already_exists');
  });

  it('records one event for each setting that differs', () => {
    const rules = [{ rule: 'require_at_least_one_review' as const }];
    given(organization, [created])
      .when((state) =>
        configure(state, {
          title: 'Acme Inc',
          hostname: 'acme-inc',
          emailDomains: [],
          defaultRole: 'read',
          logo: 'https://x.example/l.png',
          site: 's1',
          ai: false,
          inviteLinks: false,
          mergeRules: rules,
        }),
      )
      .then([
        { type: 'OrganizationRenamed', data: { title: 'Acme Inc' } },
        { type: 'OrganizationHostnameChanged', data: { hostname: 'acme-inc' } },
        { type: 'OrganizationEmailDomainsChanged', data: { emailDomains: [], claims: 'recorded' } },
        { type: 'OrganizationDefaultRoleChanged', data: { role: 'read' } },
        { type: 'OrganizationDefaultContentChanged', data: { site: 's1' } },
        { type: 'OrganizationLogoChanged', data: { logo: 'https://x.example/l.png' } },
        { type: 'OrganizationAIDisabled', data: {} },
        { type: 'OrganizationInviteLinksDisabled', data: {} },
        { type: 'OrganizationMergeRulesChanged', data: { rules } },
      ]);
  });

  it('records nothing for settings that keep their value', () => {
    const same = {
      title: 'Acme',
      hostname: 'acme',
      emailDomains: ['acme.example'],
      defaultRole: null,
      logo: null,
      site: null,
      ai: true,
      inviteLinks: true,
      mergeRules: [],
    };
    given(organization, [created])
      .when((state) => configure(state, same))
      .then([]);
    given(organization, [created])
      .when((state) => configure(state, {}))
      .then([]);
    given(organization, [])
      .when((state) => configure(state, same))
      .thenFails('not_found');
  });

  it('shows the site first that it was created with, unless it shows another one, and forgets a deleted one', () => {
    const shows = (site: string | null): OrganizationEvent => ({
      type: 'OrganizationDefaultContentChanged',
      data: { site },
    });
    given(organization, [])
      .when((state) => create(state, { ...data, withDefaultSite: true }))
      .then([{ type: 'OrganizationCreated', data: { ...data, claims: 'recorded', withDefaultSite: true } }]);
    given(organization, [created])
      .when((state) => showFirst(state, 'site'))
      .then([shows('site')]);
    given(organization, [created, shows('other')])
      .when((state) => showFirst(state, 'site'))
      .then([]);
    given(organization, [created, shows('site')])
      .when((state) => forgetSite(state, 'site'))
      .then([shows(null)]);
    given(organization, [created, shows('site')])
      .when((state) => forgetSite(state, 'other'))
      .then([]);
  });

  it('changes its hostname only from the one whose reservation is given back', () => {
    const moved: OrganizationEvent = { type: 'OrganizationHostnameChanged', data: { hostname: 'acme-b' } };
    given(organization, [created])
      .when((state) => changeHostname(state, 'acme', { hostname: 'acme-b' }))
      .then([moved]);
    given(organization, [created, moved])
      .when((state) => changeHostname(state, 'acme', { hostname: 'acme-c' }))
      .thenFails('conflict');
    given(organization, [])
      .when((state) => changeHostname(state, 'acme', { hostname: 'acme-c' }))
      .thenFails('not_found');
  });

  it('can enable again what was disabled', () => {
    given(organization, [
      created,
      { type: 'OrganizationAIDisabled', data: {} },
      { type: 'OrganizationInviteLinksDisabled', data: {} },
    ])
      .when((state) => configure(state, { ai: true, inviteLinks: true }))
      .then([
        { type: 'OrganizationAIEnabled', data: {} },
        { type: 'OrganizationInviteLinksEnabled', data: {} },
      ]);
  });
});

describe('the hostname of an organization', () => {
  it.each([
    ['Acme & Söhne GmbH', 'acme-sohne-gmbh'],
    ['Ünïcode Ørg', 'unicode-org'],
    ['Große Łódź, Đà Nẵng', 'grosse-lodz-da-nang'],
    ['ÆTHER ŒUVRE Þing', 'aether-oeuvre-thing'],
    ['Çavuş İstanbul ılık', 'cavus-istanbul-ilik'],
    ['ﬁne ①', 'fine-1'],
    ['--- X ---', 'org-x'],
    ['日本', 'org'],
    ['An organization with a very long title', 'an-organization-with-a-very'],
  ])('is derived from the title %s', (title, hostname) => {
    expect(hostnameOf(title)).toBe(hostname);
  });

  it.each([
    ['Admin', 'admin-2'],
    ['www', 'www-2'],
    ['API', 'api-2'],
    ['Administration', 'administration'],
  ])('is never a reserved one, for the title %s', (title, hostname) => {
    expect([1, 2].map((n) => hostnameCandidate(title, n)).find((candidate) => !isReservedHostname(candidate))).toBe(
      hostname,
    );
  });

  it('gets a number when it is taken, and stays within its maximum length', () => {
    expect(hostnameCandidate('Acme', 1)).toBe('acme');
    expect(hostnameCandidate('Acme', 2)).toBe('acme-2');
    expect(hostnameCandidate('An organization with a very long title', 100)).toHaveLength(31);
  });
});

describe('an e-mail domain of an organization', () => {
  const [ann, bob] = ['ann', 'bob'].map((user) => ({ user, domain: 'acme.example' }));
  const claimed = (user: string, domain = 'acme.example'): OrganizationEvent => ({
    type: 'OrganizationEmailDomainClaimed',
    data: { domain, user },
  });
  const named = (...emailDomains: string[]): OrganizationEvent => ({
    type: 'OrganizationEmailDomainsChanged',
    data: { emailDomains, claims: 'recorded' },
  });

  it('is claimed by an admin who names the domain of their own address', () => {
    given(organization, [])
      .when((state) => create(state, { ...data, claimant: ann ?? null }))
      .then([created, claimed('ann')]);
    given(organization, [])
      .when((state) => create(state, { ...data, claimant: { user: 'ann', domain: 'other.example' } }))
      .then([created]);
    given(organization, [created, claimed('ann')])
      .when((state) => configure(state, { emailDomains: ['acme.example'] }, bob))
      .then([claimed('bob')]);
    given(organization, [created, claimed('ann')])
      .when((state) => configure(state, { emailDomains: ['acme.example'] }, ann))
      .then([]);
    given(organization, [created])
      .when((state) => configure(state, { title: 'Other' }, ann))
      .then([{ type: 'OrganizationRenamed', data: { title: 'Other' } }]);
  });

  it('is no longer claimed when the organization no longer names it', () => {
    given(organization, [created, claimed('ann'), named(), named('acme.example')])
      .when((state) => configure(state, { emailDomains: ['acme.example'] }, ann))
      .then([claimed('ann')]);
  });
});
