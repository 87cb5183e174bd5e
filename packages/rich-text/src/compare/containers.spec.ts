import { describe, expect, it } from '@jest/globals';
import { diff, toMarkdown } from '../index.js';
import { merged, read } from '../test/merging.js';

describe('a block that moves into another container', () => {
  const tab = (title: string, inside: string): string => `{% tab title="${title}" %}\n${inside}\n{% endtab %}`;
  const commands = (...lines: string[]): string => `\`\`\`sh\n${lines.join('\n')}\n\`\`\``;
  const around = (inside: string): string => `Intro text.\n\n${inside}\n\nThe outro text.`;
  const install = ['npm install thing', 'npm run build', 'npm start'];
  const wrapped = (...lines: string[]): string =>
    around(
      `{% tabs %}\n${tab('npm', commands(...lines))}\n\n${tab('yarn', commands('yarn add thing'))}\n{% endtabs %}`,
    );

  it('keeps the edits that the other side made in it', () => {
    expect(merged(around(commands(...install)), wrapped(...install), around(commands(...install, 'npm test')))).toEqual(
      { text: wrapped(...install, 'npm test'), conflicts: [] },
    );
    const edited = install.map((line) => line.replace('build', 'compile'));
    expect(merged(around(commands(...install)), wrapped(...install), around(commands(...edited)))).toEqual({
      text: wrapped(...edited),
      conflicts: [],
    });
  });

  it('keeps the keys of all that it holds', () => {
    const before = read('* Buy the tickets.\n* Book the hotel.\n\nLater:\n\n* Send the invoice.');
    const after = read('* Buy the tickets.\n\nLater:\n\n* Book the hotel.\n* Send the invoice.', before);
    expect(diff(before, after).map(({ kind }) => kind)).toEqual(['moved']);
  });

  it('keeps its key if it was edited a little as well', () => {
    const before = read('The words of a paragraph here.\n\nAnother one.');
    const after = read(
      '{% hint style="info" %}\nThe words of a paragraph there.\n{% endhint %}\n\nAnother one.',
      before,
    );
    expect(diff(before, after).map(({ kind }) => kind)).toEqual(['added', 'moved', 'changed']);
  });

  it('is wrapped once if both sides wrap it in equal containers', () => {
    const list = '* one item\n* two items';
    const hint = (inside: string): string => `{% hint style="info" %}\n${inside}\n{% endhint %}`;
    expect(
      merged(`${list}\n\nOutro words.`, `${hint(list)}\n\nOutro words.`, `${hint(list)}\n\nOutro words, more.`),
    ).toEqual({ text: `${hint(list)}\n\nOutro words, more.`, conflicts: [] });
  });

  it('leaves behind no list without items and no hint without a paragraph', () => {
    const page = (first: string, inside: string): string =>
      `* Alpha one two.\n${first}\n\nText.\n\n{% hint style="info" %}\n${inside}\n{% endhint %}`;
    const { text, conflicts } = merged(
      page('', '* B two four.\n* C five six.'),
      page('* B two four.', '* C five six.'),
      page('* C five six.', '* B two four.'),
    );
    expect(conflicts).toEqual([]);
    expect(text).toBe(toMarkdown(read(text)).trim());
  });
});
