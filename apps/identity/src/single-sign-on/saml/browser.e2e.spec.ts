import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@scriptorium/embedded/free-port';
import { launch, type Browser, type Page } from 'puppeteer-core';
import { executable } from '../../test/chromium.js';
import { startIdentityProvider, type TestProvider } from '../../test/identity-provider.js';
import { startRig, type Rig } from '../../test/rig.js';
import { metadataOver } from '../../test/sso-visitor.js';

const inBrowser = executable === undefined ? describe.skip : describe;

inBrowser('single sign-on in a browser without scripts', () => {
  let rig: Rig;
  let idp: TestProvider;
  let browser: Browser;
  let page: Page;
  let address: string;
  beforeAll(async () => {
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    rig = await startRig({ PUBLIC_URL: address }, { gateway: { port, publicUrl: address } });
    // Another site than the installation, so the browser sends no SameSite cookie with its form.
    idp = await startIdentityProvider(metadataOver(rig), 'localhost');
    const org = `/orgs/${rig.organization}`;
    // The provider is found by a domain that the organization owns, since an admin with an address of it has named it.
    const boss = await rig.send('POST', '/users', {
      body: { email: 'boss@acme.example', displayName: 'Boss', emailVerified: true },
    });
    await rig.send('POST', `${org}/invites`, { body: { emails: ['boss@acme.example'], role: 'admin' } });
    const own = await rig.send('POST', `/users/${String(boss.body['id'])}/tokens`, { body: { label: 'x' } });
    await rig.send('PATCH', org, { token: String(own.body['token']), body: { emailDomains: ['acme.example'] } });
    await rig.send('POST', `${org}/saml`, { body: { label: 'Main', ...idp.settings, defaultRole: 'edit' } });
    browser = await launch({
      executablePath: executable ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
      timeout: 60_000,
    });
    page = await (await browser.createBrowserContext()).newPage();
    await page.setJavaScriptEnabled(false);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await idp.stop();
    await rig.stop();
  });

  const text = () => page.$eval('body', (body) => (body as { innerText: string }).innerText);
  const follow = (selector: string) => Promise.all([page.waitForNavigation(), page.click(selector)]);
  const findProvider = async (email: string): Promise<void> => {
    await page.goto(`${address}/sign-in`);
    await page.$eval(
      '#sso-email',
      (input, typed) => void ((input as unknown as { value: string }).value = typed),
      email,
    );
    await follow('form[action$="by-sso"] button');
  };
  const arrived = () => page.waitForFunction('location.pathname === "/v1/auth/account"', { timeout: 15_000 });

  it('finds the provider by the address, signs in there, and returns to the account page', async () => {
    idp.answerWith({ email: 'bea@acme.example', firstName: 'Bea', lastName: '<b>Browser</b>' });
    await findProvider('bea@acme.example');
    expect(await text()).toContain('First Organization');
    await follow('main li a');
    expect(new URL(page.url()).host).toBe(new URL(idp.settings.ssoURL).host);
    await follow('button');
    await arrived();
    expect(await text()).toMatch(/Signed in as Bea <b>Browser<\/b>[^]*is for that organization only/);
    await follow('form[action$="sign-out"] button');
    expect(page.url()).toBe(`${address}/sign-in`);
  }, 60_000);

  it('shows why somebody is refused, and how they can connect their account', async () => {
    idp.answerWith({ email: 'boss@acme.example' });
    await findProvider('boss@acme.example');
    await follow('main li a');
    await follow('button');
    expect(await text()).toContain('A member has this address');
    await follow('main section a');
    expect(await text()).toContain('Sign in to the account first');
  }, 60_000);
});
