import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@scriptorium/embedded/free-port';
import { launch, type Browser, type Page } from 'puppeteer-core';
import { executable } from '../../test/chromium.js';
import { eventually, startRig, type Rig } from '../../test/rig.js';

const inBrowser = executable === undefined ? describe.skip : describe;

const password = 'velvet-otter-lamp-91';
const email = 'bea@example.org';

inBrowser('the sign-in pages in a browser without scripts', () => {
  let rig: Rig;
  let browser: Browser;
  let page: Page;
  let address: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    rig = await startRig({ PUBLIC_URL: address }, { gateway: { port, publicUrl: address } });
    await rig.send('POST', '/users', {
      body: { email, displayName: 'Bea <b>Browser</b>', emailVerified: true, password },
    });
    browser = await launch({
      executablePath: executable ?? '',
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
      timeout: 60_000,
    });
    page = await fresh();
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await rig.stop();
  });

  const fresh = async (scripts = false): Promise<Page> => {
    const context = await browser.createBrowserContext();
    const made = await context.newPage();
    await made.setJavaScriptEnabled(scripts);
    made.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('status of 4')) complaints.push(message.text());
    });
    return made;
  };
  const text = () => page.$eval('body', (body) => (body as { innerText: string }).innerText);
  const wordsIn = (selector: string) => page.$eval(selector, (node) => (node as { textContent: string }).textContent);
  const press = (form: string) => Promise.all([page.waitForNavigation(), page.click(`form[action$="${form}"] button`)]);
  const type = (selector: string, value: string) =>
    page.$eval(selector, (input, typed) => void ('value' in input && (input.value = typed)), value);
  const shoot = async (name: string): Promise<void> => {
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };

  it('sign in with a password, and show a message when it is wrong', async () => {
    await page.goto(`${address}/sign-in`);
    await shoot('sign-in');
    await type('#password-email', email);
    await type('#password', 'wrong');
    const [refused] = await press('/by-password');
    expect(refused?.status()).toBe(401);
    expect(await wordsIn('[role=alert]')).toBe('Wrong address or password');
    await shoot('refused');
    expect(await page.$eval('#password-email', (input) => 'value' in input && input.value)).toBe(email);
    await type('#password', password);
    await press('/by-password');
    expect(page.url()).toBe(`${address}/v1/auth/account`);
    expect(await text()).toContain('Signed in as Bea <b>Browser</b> (bea@example.org)');
    const [cookie] = await page.browserContext().cookies();
    expect(cookie).toMatchObject({
      name: 'scriptorium_session',
      httpOnly: true,
      sameSite: 'Strict',
      path: '/v1',
      secure: false,
    });
  }, 60_000);

  it('show a new token once, and revoke it', async () => {
    await type('#label', 'from the page');
    await press('/new-token');
    const token = await wordsIn('#token');
    await shoot('account');
    expect((await rig.send('GET', '/user', { token })).body).toMatchObject({ email });
    await page.goto(`${address}/v1/auth/account`);
    expect(await text()).toContain('from the page');
    expect(await text()).not.toContain(token);
    await press('/revoke-token');
    expect(await text()).toContain('You have none.');
    await eventually(async () => (await rig.send('GET', '/user', { token })).status === 401);
  }, 60_000);

  it('set a new password, and refuse a weak one', async () => {
    await type('#current', password);
    await type('#new-password', 'password1234');
    await press('/new-password');
    expect(await wordsIn('[role=alert]')).toContain('easy to guess');
    await type('#current', password);
    await type('#new-password', 'marble-canyon-thistle-7');
    await press('/new-password');
    expect(await wordsIn('[role=status]')).toContain('Your new password is set');
  }, 60_000);

  it('sign out', async () => {
    await press('/sign-out');
    expect(page.url()).toBe(`${address}/sign-in`);
    await page.goto(`${address}/v1/auth/account`);
    expect(page.url()).toBe(`${address}/sign-in`);
  }, 60_000);

  it('send a link, and sign in with it when a button is pressed', async () => {
    await type('#link-email', email);
    await press('/send-link');
    expect(await text()).toContain('Check your mail');
    const linkOf = async () =>
      (await rig.mailTo(email))
        .map((mail) => /http\S+\/sign-in\/link\?link=\w+/.exec(mail)?.[0])
        .find((link) => link !== undefined);
    await eventually(async () => (await linkOf()) !== undefined);
    page = await fresh();
    await page.goto((await linkOf()) ?? '');
    await shoot('link');
    await press('/by-link');
    expect(page.url()).toBe(`${address}/v1/auth/account`);
    expect(await text()).toContain('This one');
    await page.goto((await linkOf()) ?? '');
    await press('/by-link');
    expect(await text()).toContain('This link is invalid, was used, or has expired');
  }, 60_000);

  it('answer an address for which no organization offers single sign-on', async () => {
    await page.goto(`${address}/sign-in`);
    await type('#sso-email', email);
    await press('/by-sso');
    expect(await text()).toContain('Single sign-on');
  }, 60_000);

  it('can be used by keyboard, and label every field', async () => {
    page = await fresh(true);
    await page.goto(`${address}/sign-in`);
    const unlabelled = await page.$$eval(
      'input:not([type=hidden]), select, button',
      (fields) =>
        fields.filter((field) => {
          const { labels, textContent } = field as { labels: { length: number }; textContent: string };
          return labels.length === 0 && textContent.trim() === '';
        }).length,
    );
    expect(unlabelled).toBe(0);
    await page.keyboard.press('Tab');
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type('marble-canyon-thistle-7');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    expect(page.url()).toBe(`${address}/v1/auth/account`);
  }, 60_000);

  it('give a session to the reference page, which sends requests with it', async () => {
    await page.goto(`${address}/reference`);
    await page.click('#use-session');
    await page.waitForFunction('document.getElementById("session-state").textContent.includes("for an hour")', {
      timeout: 30_000,
    });
    await shoot('reference');
    await page.goto(`${address}/v1/auth/account`);
    expect(await text()).toContain('Reference page');
    page = await fresh(true);
    await page.goto(`${address}/reference`);
    await page.click('#use-session');
    await page.waitForFunction('document.getElementById("session-state").textContent.includes("not signed in")', {
      timeout: 30_000,
    });
  }, 90_000);

  it('show the reference page without anything over its text, also at the widths where its layout changes', async () => {
    page = await fresh(true);
    await page.goto(`${address}/reference`);
    await page.waitForSelector('.references-rendered h1', { timeout: 30_000 });
    for (const width of [999, 1000, 1001]) {
      await page.setViewport({ width, height: 800 });
      await shoot(`reference-${width}`);
      const [sidebar, content] = await Promise.all(
        ['.t-doc__sidebar', '.references-rendered'].map(async (one) => (await page.$(one))?.boundingBox()),
      );
      expect(content?.width).toBeGreaterThan(width / 2);
      expect((sidebar?.x ?? 0) + (sidebar?.width ?? 0)).toBeLessThanOrEqual(content?.x ?? 0);
    }
  }, 90_000);

  it('do not violate their own content security policy', () => {
    expect(complaints).toEqual([]);
  });
});
