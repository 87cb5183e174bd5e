import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openBranch, Pdf, preparePublishedPdf, type VisitorPrincipal } from '@scriptorium/contracts';
import { connectAsker, type Asker } from '../../test/ask.js';
import { changeContentOf, page } from '../../test/pages.js';
import { eventually, startRig, type Rig } from '../../test/own-rig.js';
import { emptySpace } from '../../test/zips.js';
import { PdfLayouts } from './pdf-layouts.process.js';
import { readPdf } from './test/read-pdf.js';
import { methodOf } from '../../test/method-of.js';

jest.setTimeout(180_000);

describe('PDFs', () => {
  let rig: Rig;
  let ask: Asker;
  beforeAll(async () => {
    rig = await startRig();
    ask = await connectAsker(rig);
  }, 60_000);
  afterAll(async () => {
    await ask.close();
    await rig.stop();
  });

  const bytesAt = async (url: unknown) => Buffer.from(await (await fetch(String(url))).arrayBuffer());
  const textAt = async (url: unknown): Promise<string> => (await readPdf(await bytesAt(url))).texts.join('\n');
  const urlOf = async (path: string) => (await rig.send('GET', path)).body['url'];

  it('of a change request list what it changes, and show only that when they are asked to', async () => {
    const space = await emptySpace(rig);
    const ids = await changeContentOf(rig, space, [
      page('Kept', 'Nothing changes here.', { ref: 'kept' }),
      page('Edited', 'The quick brown fox.\n\nGone with the wind.', { ref: 'edited' }),
      page('Dropped', 'Soon away.', { ref: 'dropped' }),
    ]);
    await ask(openBranch, { space, branch: 'request' });
    const path = `/spaces/${space}/change-requests/request`;
    const changes = [
      { operation: 'insert_page', title: 'Fresh', document: { markdown: 'Quite new.' } },
      { operation: 'update_page', page: ids['edited'], document: { markdown: 'The quick red fox.' } },
      { operation: 'delete_page', page: ids['dropped'] },
    ];
    expect((await rig.send('POST', `${path}/content`, { body: { changes } })).status).toBe(200);
    const whole = await textAt(await urlOf(`${path}/pdf`));
    for (const word of ['Changed pages', 'Added: Fresh', 'Changed: Edited', 'Removed: Dropped', 'Nothing changes'])
      expect(whole).toContain(word);
    const changed = await textAt(await urlOf(`${path}/pdf?changes=true`));
    for (const word of ['Quite new', 'brown', 'red', 'Gone with the wind', 'Soon away'])
      expect(changed).toContain(word);
    expect(changed).not.toContain('Nothing changes');
    expect(await urlOf(`/spaces/${space}/pdf`)).not.toBe(await urlOf(`${path}/pdf`));
    expect((await rig.send('GET', `/spaces/${space}/change-requests/none/pdf`)).status).toBe(404);
  });

  it('show visitors what their claims let them see, and nothing that the navigation leaves out', async () => {
    const space = await emptySpace(rig);
    await changeContentOf(rig, space, [
      page('Open', 'For all.\n\n{% if visitor.claims.paid %}\nFor those who pay.\n{% endif %}'),
      page('Closed', 'For few.', { condition: 'visitor.claims.paid' }),
      page('Hidden', 'For nobody.', { hidden: true }),
    ]);
    const { organization } = rig;
    const asVisitor = async (claims: object) => {
      const visitor = { site: 'site', spaces: [space], type: 'human' as const, claims: { ...claims } };
      const token = { id: 'v', kind: 'content' as const };
      const caller: VisitorPrincipal = { kind: 'visitor', id: 'v', token, organization, operator: false, visitor };
      const input = { organization, space, only: false, paper: 'a4' as const, waitSeconds: 0 };
      return Pdf.parse(await ask(preparePublishedPdf, input, { caller })).url;
    };
    const [free, paid] = [await asVisitor({}), await asVisitor({ paid: true })];
    expect(free.split('?')[0]).not.toBe(paid.split('?')[0]);
    const [shownFree, shownPaid] = [await textAt(free), await textAt(paid)];
    for (const word of ['For those who pay', 'For few', 'For nobody']) expect(shownFree).not.toContain(word);
    for (const word of ['For all', 'For those who pay', 'For few']) expect(shownPaid).toContain(word);
    expect(shownPaid).not.toContain('For nobody');
  });

  it('are made again after their process was killed, and the service goes on', async () => {
    const space = await emptySpace(rig);
    const code = `\`\`\`js\n${'const a = [1, 2, 3].map((one) => one + 1);\n'.repeat(480)}\`\`\`\n\n`;
    await changeContentOf(rig, space, [page('Code', code.repeat(4))]);
    const layouts: PdfLayouts[] = [];
    const pids = methodOf(PdfLayouts.prototype, 'layouts');
    const spy = jest.spyOn(PdfLayouts.prototype, 'layouts').mockImplementation(function (this: PdfLayouts) {
      layouts.push(this);
      return pids.call(this);
    });
    const url = String(await urlOf(`/spaces/${space}/pdf`));
    const first = fetch(url);
    await eventually(() => layouts.some((one) => one.pids().length > 0));
    for (const pid of layouts[0]?.pids() ?? []) process.kill(pid, 'SIGKILL');
    const { status, headers } = await first;
    expect([status, headers.get('retry-after')]).toEqual([503, '30']);
    expect((await rig.send('GET', `/spaces/${space}`)).status).toBe(200);
    await rig.store.database.collection('op_pdfs').updateMany({}, { $unset: { failure: '' } });
    spy.mockRestore();
    await eventually(async () => (await fetch(url)).status === 200);
  });

  it('go with their space', async () => {
    const space = await emptySpace(rig);
    await changeContentOf(rig, space, [page('One', 'Text.')]);
    expect((await bytesAt(await urlOf(`/spaces/${space}/pdf`))).subarray(0, 4).toString()).toBe('%PDF');
    const count = () => rig.store.database.collection('op_pdfs').countDocuments({ space });
    expect(await count()).toBe(1);
    await rig.send('DELETE', `/spaces/${space}`);
    // The timer that purges it would take seven days.
    const timers = rig.store.database.collection<{ _id: string }>('op_timers');
    await eventually(async () => {
      const { matchedCount } = await timers.updateOne({ _id: `purge_deleted:${space}` }, { $set: { due: 0 } });
      return matchedCount === 1;
    });
    await eventually(async () => (await count()) === 0);
  });
});
