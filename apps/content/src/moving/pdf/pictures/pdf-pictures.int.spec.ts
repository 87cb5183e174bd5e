import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startRig, type Rig } from '../../../test/own-rig.js';
import { changeContentOf, page } from '../../../test/pages.js';
import { emptySpace } from '../../../test/zips.js';
import { jpeg, png } from '../test/pictures.js';
import { readPdf } from '../test/read-pdf.js';

jest.setTimeout(180_000);

interface Given {
  name: string;
  type: string;
  bytes: Buffer;
}

const svg = (inside: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inside}</svg>`);
const color = (index: number) => [index % 256, Math.floor(index / 256), 7] as const;

describe('pictures in a PDF', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  }, 60_000);
  afterAll(() => rig.stop());

  /** The text of the PDF of a page with these pictures, each with its name as alternative text. */
  const textWith = async (given: readonly Given[]): Promise<string> => {
    const space = await emptySpace(rig);
    const lines: string[] = [];
    for (let start = 0; start < given.length; start += 20) {
      const some = given.slice(start, start + 20);
      const files = some.map(({ name, type, bytes }, index) => ({
        name,
        ref: `f${index}`,
        contentType: type,
        base64: bytes.toString('base64'),
      }));
      const ids = await changeContentOf(rig, space, [{ operation: 'insert_files', files }]);
      lines.push(...some.map(({ name }, index) => `![alt-${name}](/files/${ids[`f${index}`] ?? ''})`));
    }
    await changeContentOf(rig, space, [page('Pictures', `First words.\n\n${lines.join('\n\n')}\n\nLast words.`)]);
    const { status, body } = await rig.send('GET', `/spaces/${space}/pdf`, { headers: { prefer: 'wait=25' } });
    expect([status, body]).toEqual([200, expect.objectContaining({ accessible: true })]);
    const answer = await fetch(String(body['url']));
    return (await readPdf(new Uint8Array(await answer.arrayBuffer()))).texts.join('\n');
  };

  it('that are damaged, too large when they are read, or run something are their alternative texts', async () => {
    const good = { name: 'good.png', type: 'image/png', bytes: png(20, 20, [200, 0, 0]) };
    const bad: Given[] = [
      { name: 'script.svg', type: 'image/svg+xml', bytes: svg('<script>alert(1)</script>') },
      { name: 'load.svg', type: 'image/svg+xml', bytes: svg('<image href="http://127.0.0.1:9/a.png"/>') },
      { name: 'bomb.png', type: 'image/png', bytes: png(60_000, 60_000) },
      { name: 'cut.jpg', type: 'image/jpeg', bytes: jpeg().subarray(0, -2) },
      { name: 'hollow.jpg', type: 'image/jpeg', bytes: jpeg() },
      { name: 'text.png', type: 'image/png', bytes: Buffer.from('#read("/etc/passwd")') },
    ];
    const text = await textWith([good, ...bad]);
    for (const word of ['First words', 'Last words', ...bad.map(({ name }) => `alt-${name}`)])
      expect(text).toContain(word);
    expect(text).not.toContain('alt-good.png');
  });

  it('are as many as 300, and those behind them their alternative texts', async () => {
    const all = Array.from({ length: 301 }, (_, index) => {
      const name = `p${String(index + 1).padStart(3, '0')}.png`;
      return { name, type: 'image/png', bytes: png(2, 2, color(index)) };
    });
    const text = await textWith(all);
    expect(text.match(/alt-p\d+\.png/g)).toEqual(['alt-p301.png']);
    expect(text).toContain('Last words');
  });
});
