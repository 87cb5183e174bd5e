import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Pack } from '@scriptorium/openapi';
import { allBlocks, cards, corpus, operationBlock, packOf, schemasBlock, webhookBlock } from '../../test/api-blocks.js';
import { forge } from '../../test/forge.js';

const path = '/orgs/{org}/repos/{repo_name}';

/** What stands between two texts. */
const between = (html: string, from: string, to: string): string => {
  const start = html.indexOf(from);
  expect(start).toBeGreaterThanOrEqual(0);
  return html.slice(start, html.indexOf(to, start + from.length));
};

describe('the card of an operation', () => {
  let pack: Pack;
  let html: string;
  beforeAll(async () => {
    pack = await packOf(forge);
    html = cards(operationBlock(pack, 'post', path));
  });

  it.each([
    ['its method', /<p class="call call-post"><strong class="method">POST<\/strong>/],
    ['its path with marked parameters', /\/orgs<wbr>\/<var>\{org\}<\/var><wbr>\/repos<wbr>\/<var>\{repo_name\}<\/var>/],
    [
      'its title and description',
      /<strong>Create an organization repository<\/strong>.*<strong>must be a member<\/strong>/s,
    ],
    [
      'that it goes away, and when',
      /deprecated<\/span> This operation is deprecated and goes away on December 5, 2027\./,
    ],
    ['how stable it is', /<span class="label stability">beta<\/span>/],
    [
      'base URLs with their variables',
      /<var>\{host\}<\/var>.*one of forge\.example\.com, forge\.example\.org; by default forge\.example\.com/s,
    ],
    ['keys', /<strong>token<\/strong>: key in header <code>X-Forge-Token<\/code>/],
    [
      'scopes with what they allow',
      /<code>repo<\/code>: Read and write repositories.*<code>admin:org<\/code>: Manage/s,
    ],
    ['that authorization can be left out', /No authorization\./],
    ['parameters by place', /Path parameters<\/h2>.*Query parameters<\/h2>.*Header parameters<\/h2>/s],
    [
      'required parameters',
      /<code class="name">org<\/code> <span class="type">string<\/span> <span class="label required">/,
    ],
    ['limits in words', /at least 1, at most 100 characters, matches <code>\^\[a-z-\]\+\$<\/code>/],
    ['numbers in words', /at least 1, at most 100, by default <code>30<\/code>/],
    ['lists in words', /at most 20 items, no item twice/],
    ['the values of an enum with what is said of them', /<code>created<\/code>: When it was made\./],
    ['the values of an enum', /One of <code>public<\/code> <code>private<\/code> <code>internal<\/code>/],
    ['deprecated parameters', /X-Forge-Version<\/code> .*?<span class="label deprecated">deprecated/],
    [
      'the body by media type',
      /<label for="[^"]+">application\/json<\/label>.*<label for="[^"]+">application\/xml<\/label>/s,
    ],
    ['named examples as tabs', /<label for="[^"]+">A small one<\/label>.*<label for="[^"]+">With a licence<\/label>/s],
    [
      'answers of success open, and others closed',
      /<details open class="response"><summary><strong class="status status-2">201<.*<details class="response"><summary><strong class="status status-4">403</s,
    ],
    ['the description of an answer', /422<\/strong> Validation failed, or the endpoint has been called too often/],
    ['an answer without a body', /<p class="response"><strong class="status">default<\/strong> Anything else<\/p>/],
    ['headers of answers', /<summary>1 header<\/summary>.*Location<\/code> <span class="type">string \(uri\)/s],
    ['what may be null', /licence<\/code> <span class="type">licence or null<\/span>/],
    ['properties of any name', /<em>any name<\/em> <span class="type">string/],
    [
      'options with the value that tells them',
      /<legend>One of<\/legend>.*>user<\/label>.*<code>type<\/code> is <code>user<\/code>.*<code>type<\/code> is <code>team<\/code>/s,
    ],
    [
      'samples of the specification first',
      />Ruby<\/label>.*>curl<\/label>.*>JavaScript<\/label>.*>Python<\/label>.*>Go<\/label>/s,
    ],
    ['a request of its own', /curl --request POST 'https:\/\/forge\.example\.com\/api\/v3\/orgs\/octo-org/],
  ])('shows %s', (_name, expected) => {
    expect(html).toMatch(expected);
  });

  it('shows what is sent in requests, and what is read in answers', () => {
    const body = between(html, 'Body (required)', 'Responses</h2>');
    expect(body).toContain('secret');
    expect(body).not.toContain('<code class="name">id</code>');
  });

  it('leads from what contains itself, and from the third level on, to the schema behind the text', () => {
    expect(html).toMatch(/parent<\/code> <span class="type"><a href="#schema-repository">repository<\/a>/);
    expect(html).toMatch(/more<\/code> <span class="type"><a href="#schema-more-permissions">more-permissions<\/a>/);
    const behind = html.slice(html.indexOf('<section aria-label="Schemas"'));
    expect(behind.match(/id="schema-repository"/g)).toHaveLength(1);
    expect(behind.match(/id="schema-more-permissions"/g)).toHaveLength(1);
  });

  it('leads to schemas that the page shows itself', () => {
    const page = cards(
      operationBlock(pack, 'post', path),
      schemasBlock(pack, 'repository', 'more-permissions', 'person', 'licence'),
    );
    expect(page).not.toContain('<section aria-label="Schemas"');
    expect(page.match(/id="schema-repository"/g)).toHaveLength(1);
  });

  it('has neither title nor description when those stand before it', () => {
    const page = cards(operationBlock(pack, 'post', path, { headless: true }));
    expect(page).not.toContain('must be a member');
  });

  it('shows method and path of what is missing', () => {
    const page = cards(operationBlock(pack, 'get', '/gone'));
    expect(page).toMatch(/GET<\/strong> <code>\/gone<\/code>/);
  });

  it('says that schemas are left out where the page is too large for them', () => {
    const block = operationBlock(pack, 'post', path);
    const resolved = { ...(block.data['resolved'] as object), schemas: {}, truncated: true };
    const page = cards({ ...block, data: { ...block.data, resolved } });
    expect(page).toContain('too large for the schemas');
    expect(page).toContain('new-repository');
  });
});

describe('cards of the specifications of others', () => {
  it.each(corpus)('show all operations and schemas of %s', async (_name, text) => {
    const pack = await packOf(text);
    const blocks = allBlocks(pack);
    const html = cards(...blocks, schemasBlock(pack, ...pack.schemas.keys()));
    expect(html.match(/<article /g) ?? []).toHaveLength(blocks.length);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of html.matchAll(/href="#(schema-[^"]*)"/g)) expect(ids).toContain(target);
    expect(html).not.toMatch(/="undefined"|\[object Object\]/);
  });

  it('show webhooks', async () => {
    const [, text = ''] = corpus.find(([name]) => name.endsWith('3.1/json/webhooks.json')) ?? [];
    const html = cards(webhookBlock(await packOf(text), 'newPet'));
    expect(html).toMatch(
      /<article aria-label="Webhook DELETE newPet".*DELETE<\/strong> <code>newPet<\/code>.*Query parameters.*Responses/s,
    );
    expect(html).not.toContain('Request samples');
  });
});
