import { describe, expect, it } from '@jest/globals';
import type { Block } from '@scriptorium/rich-text';
import { shown } from '../../test/document.js';
import { comesFrom } from './frames.js';
import type { Fields } from '../rendered-component.js';

const resolved = {
  title: 'Plot',
  integration: { name: 'acme', title: 'Acme', version: 1 },
  frames: ['https://frames.example', 'https://*.wide.example/embed/'],
};
const node: Block = {
  object: 'block',
  type: 'integration',
  isVoid: true,
  data: { integration: 'acme', block: 'plot', props: {}, resolved },
};
const around = (element: Fields, state: Fields = {}, mayFrame = true) => ({
  componentOf: () => ({ element, state }),
  mayFrame,
});
/** Elements in a block as HTML. */
function html(children: unknown, state: Fields = {}, mayFrame = true): string {
  const document = { object: 'document' as const, data: {}, nodes: [node] };
  return shown(document, around({ type: 'block', children }, state, mayFrame));
}
/** Components as HTML, all of which have rendered the same. */
function page(count: number, children: unknown): string {
  const nodes = Array.from({ length: count }, () => node);
  return shown({ object: 'document', data: {}, nodes }, around({ type: 'block', children }));
}
const open = (url: unknown) => ({ action: '@ui.url.open', url });

describe('what a component of an integration has rendered, as HTML', () => {
  it('has texts, links, pictures, markdown and code', () => {
    const link = { type: 'link', target: { url: 'https://a.example/x' }, children: 'here' };
    const text = { type: 'text', children: ['Go ', { type: 'text', style: 'bold', children: 'now' }, ' ', link] };
    const made = html(
      [
        text,
        { type: 'divider' },
        { type: 'markdown', content: { $state: 'notes' } },
        { type: 'image', source: { url: 'https://a.example/p.png' }, aspectRatio: 2 },
        { type: 'codeblock', content: 'let a;\nlet b;', syntax: 'js', buttons: [] },
        { type: 'hint', children: [{ type: 'text', children: 'Small' }] },
      ],
      { notes: '# Title\n\nSome *words*.' },
    );
    expect(made).toContain('<div class="component" role="group" aria-label="Plot">');
    expect(made).toContain('Go <strong>now</strong> <a href="https://a.example/x" rel="noopener noreferrer">here</a>');
    expect(made).toContain('<em>words</em>');
    expect(made).not.toContain('<h1');
    expect(made).toContain('<img src="https://a.example/p.png" alt="" loading="lazy"');
    expect(made).toMatch(/<figure class="code">.*let a;/s);
    expect(made).toContain('<small>Small</small>');
  });

  it('has stacks and cards, and of what needs the script a text or a link', () => {
    const made = html(
      [
        { type: 'hstack', align: 'center', children: [{ type: 'button', label: 'Vote', onPress: { action: 'vote' } }] },
        {
          type: 'card',
          title: 'Issue 1',
          hint: 'Open',
          icon: 'bug',
          onPress: open('https://a.example/1'),
          buttons: [{ type: 'button', label: 'See', onPress: open('https://a.example/2') }],
          children: [{ type: 'vstack', children: ['Inside'] }],
        },
        { type: 'input', label: 'Name', hint: 'Yours', element: { type: 'textinput', state: 'name' } },
        { type: 'select', state: 'size', options: [{ id: 'l', label: 'Large' }] },
        { type: 'switch', state: 'on' },
      ],
      { name: 'Ada', size: 'l', on: true },
    );
    expect(made).toContain('<div class="stack-row stack-center"><span class="option">Vote</span></div>');
    expect(made).toContain('<a href="https://a.example/1" rel="noopener noreferrer">Issue 1</a>');
    expect(made).toContain('href="https://a.example/2"');
    expect(made).toContain('<div class="stack-column"><p>Inside</p></div>');
    expect(made).toMatch(/<strong>Name<\/strong> <span class="option">Ada<\/span>/);
    expect(made).toContain('<span class="option">Large</span>☑');
    expect(made).not.toMatch(/<button|<input|<select|<form/);
  });

  it('has dots for a password that a field holds', () => {
    const field = { type: 'textinput', state: 'word', inputType: 'password', placeholder: 'Your password' };
    for (const word of ['hunter2', 'a much longer password', 7]) {
      const made = html([{ type: 'input', label: 'Password', element: field }], { word });
      expect(made).toContain('<span class="option">••••••••</span>');
      expect(made).not.toContain(String(word));
    }
    expect(html([{ ...field, state: undefined, initialValue: 'hunter2' }])).not.toContain('hunter2');
    expect(html([field], { word: '' })).toContain('<span class="option">Your password</span>');
    expect(html([{ ...field, inputType: 'email' }], { word: 'a@b.example' })).toContain('a@b.example');
  });

  it('lets nothing of a script run, and leads to no address with another scheme', () => {
    const bad = ['javascript:alert(1)', ' JaVaScRiPt:alert(1)', 'data:text/html,<script>', 'vbscript:x', '//evil', 'x'];
    const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
    const made = html([
      ...bad.flatMap((url) => [
        { type: 'text', children: [{ type: 'link', target: { url }, children: 'link' }] },
        { type: 'image', source: { url } },
        { type: 'button', label: 'Go', onPress: open(url) },
        { type: 'card', title: 'T', icon: { type: 'image', source: { url } }, onPress: open(url) },
        { type: 'webframe', source: { url } },
        { type: 'text', children: { type: 'link', target: { url: { host: url, pathname: url } }, children: 'built' } },
      ]),
      { type: 'text', style: hostile, children: hostile },
      { type: 'hstack', align: hostile, children: [hostile] },
      { type: 'card', title: hostile, icon: hostile, hint: hostile, children: [] },
      { type: 'codeblock', content: hostile, syntax: hostile },
      {
        type: 'markdown',
        content: `${hostile}\n\n[x](javascript:alert(1))\n\n<iframe src="https://evil.example"></iframe>`,
      },
      {
        type: 'markdown',
        content: '{% embed url="https://evil.example/" %}\n\n{% @acme/plot url="javascript:alert(1)" %}',
      },
      { type: 'select', state: 'x', options: [{ id: 'x', label: hostile }], initialValue: 'x' },
      { type: 'script', children: hostile },
      { type: '__proto__', children: hostile },
      { type: 'constructor', children: hostile },
    ]);
    expect(made.replaceAll(/="[^"]*"/g, '')).not.toMatch(/<script|<iframe|<[^>]* onerror|<img(?![^>]* loading)/i);
    expect(made).not.toMatch(/(?:href|src)="\s*(?:javascript|data|vbscript|\/\/|x")/i);
    expect(made).toContain('&#x3C;script>alert(1)&#x3C;/script>');
  });

  it('is bounded, however deep and long it is, and whatever its fields are', () => {
    let deep: object = { type: 'text', children: 'deepest' };
    for (let n = 0; n < 2_000; n += 1) deep = { type: n % 2 === 0 ? 'vstack' : 'text', children: [deep] };
    expect(html(['first', deep])).not.toContain('deepest');
    const made = html(
      Array.from({ length: 5_000 }, (_, n) => ({ type: 'text', children: [`${n} ${'x'.repeat(500)}`] })),
    );
    expect(made.length).toBeLessThan(200_000);
    expect(made).toContain('0 xxx');
    const odd = [
      null,
      1,
      true,
      [],
      [[[['nested']]]],
      { type: 7 },
      { type: { toString: 1 } },
      { type: 'text', style: { toString: 1 }, children: 'x' },
      { type: 'text' },
      { type: 'card', children: 3, buttons: 'b' },
    ];
    for (const field of ['children', 'content', 'source', 'target', 'label', 'element', 'options', 'onPress', 'state'])
      for (const type of [
        'text',
        'link',
        'image',
        'codeblock',
        'markdown',
        'card',
        'input',
        'select',
        'webframe',
        'button',
      ])
        for (const value of [...odd, { $state: '__proto__' }, { url: { host: 'a b' } }, 'x'])
          expect(() => html([{ type, [field]: value }])).not.toThrow();
    expect(html(odd)).toContain('nested');
  });

  it('counts each line and each text, so that a page is bounded whatever its components have rendered', () => {
    const broken = { type: 'text', children: '\n'.repeat(70_000) };
    expect(html([broken]).split('<br>').length).toBeLessThanOrEqual(2_000);
    expect(html([{ type: 'text', children: 'a\nb' }, 'c'])).toContain('<p>a<br>b</p><p>c</p>');
    const everything = [
      'a'.repeat(30_000).split(''),
      broken,
      { type: 'codeblock', content: '\n'.repeat(70_000) },
      { type: 'markdown', content: 'a\n\n'.repeat(30_000) },
      { type: 'select', initialValue: Array.from({ length: 30_000 }, String) },
    ];
    for (const children of everything) expect(page(20, children).split(/<(?!\/)/).length).toBeLessThan(12_000);
    expect(page(20, ['x'.repeat(90_000)]).length).toBeLessThan(210_000);
    // What is small is shown of all of them.
    expect(page(20, ['Shown']).split('Shown')).toHaveLength(21);
  });

  it('has addresses that count as texts do, and none that is too long', () => {
    const link = (url: unknown) => ({ type: 'text', children: { type: 'link', target: { url }, children: 'x' } });
    const long = `https://a.example/${'x'.repeat(2_000)}`;
    const state = { long, longer: `${long}${'x'.repeat(100)}`, space: ' '.repeat(3_000) };
    const links = Array.from({ length: 900 }, () => link({ $state: 'long' }));
    expect(html(links, state).length).toBeLessThan(130_000);
    expect(html([link({ $state: 'long' })], state)).toContain(`href="${long}"`);
    for (const url of [
      { $state: 'longer' },
      { $state: 'space' },
      { host: 'a.example', pathname: { $state: 'longer' } },
    ])
      expect(html([link(url)], state)).not.toContain('href');
    const built = { host: 'a.example', pathname: '/x y', query: { q: 'a&b', r: { $state: 'name' } } };
    expect(html([link(built)], { name: 'ä' })).toContain('href="https://a.example/x%20y?q=a%26b&#x26;r=%C3%A4"');
  });

  it('is the card of the block when it cannot be shown, and the rest of the page is as it was', () => {
    const failing = {
      type: 'block',
      get children(): unknown {
        throw new RangeError('Maximum call stack size exceeded');
      },
    };
    const text: Block = {
      ...node,
      type: 'paragraph',
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'Behind', marks: [] }] }],
    };
    const made = shown({ object: 'document', data: {}, nodes: [node, text] }, around(failing));
    expect(made).toContain('<figure class="card"><strong>');
    expect(made).toContain('<p>Behind</p>');
  });

  it('is the card of the block when nothing can be shown of it', () => {
    for (const element of [
      { type: 'modal', children: ['x'] },
      { type: 'block' },
      { type: 'block', children: [{ type: 'x' }] },
    ])
      expect(shown({ object: 'document', data: {}, nodes: [node] }, around(element))).toContain(
        '<figure class="card"><strong>',
      );
  });
});

describe('a frame of an integration', () => {
  const frame = (url: string, more: object = {}, mayFrame = true) =>
    html([{ type: 'webframe', source: { url }, ...more }], {}, mayFrame);

  it('is in a sandbox without the rights of its origin, from where the integration states it', () => {
    expect(frame('https://frames.example/a?b=1', { aspectRatio: 1.3 })).toContain(
      '<figure class="embedded shape-4-3"><iframe src="https://frames.example/a?b=1" title="Plot" loading="lazy" referrerpolicy="no-referrer" sandbox="allow-scripts allow-forms allow-popups"></iframe></figure>',
    );
  });

  it('is a link elsewhere', () => {
    const others = [
      'https://evil.example/',
      'http://frames.example/',
      'https://frames.example:8443/',
      'https://a@frames.example/',
    ];
    for (const url of others) {
      expect(frame(url)).not.toContain('<iframe');
      expect(frame(url)).toContain(`<p class="card"><a href="${url}"`);
    }
    expect(frame('https://frames.example/', {}, false)).toContain('<a href="https://frames.example/"');
    expect(frame('https://frames.example/', {}, false)).not.toContain('<iframe');
  });

  it.each([
    ['https://a.example/x', 'https://a.example', true],
    ['https://A.EXAMPLE/x', 'https://a.example', true],
    ['https://b.a.example/', 'https://a.example', false],
    ['https://b.a.example/', 'https://*.a.example', true],
    ['https://a.example/', 'https://*.a.example', false],
    ['https://evila.example/', 'https://*.a.example', false],
    ['https://a.example/embed/x', 'https://a.example/embed/', true],
    ['https://a.example/other', 'https://a.example/embed/', false],
    ['https://a.example/embed', 'https://a.example/embed', true],
    ['https://a.example/embedded', 'https://a.example/embed', false],
    ['https://a.example:8443/', 'https://a.example:8443', true],
    ['https://a.example/', 'https://a.example:443', true],
    ['https://a.example:8443/', 'https://a.example', false],
    ['https://a.example:8443/', 'https://a.example:*', true],
    ['https://a.example/x', 'https://a.example:*/x', true],
    ['https://a.example/', 'wss://a.example', false],
    ['http://a.example/', 'https://a.example', false],
    ['https://a.example/', 'https:', false],
    ['https://a.example/', '*', false],
  ])('%s comes from %s: %s', (url, source, expected) => {
    expect(comesFrom(new URL(url), source)).toBe(expected);
  });
});
