import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { inFull } from '@scriptorium/toolchain/proof';
import { eventually } from '../../test/own-rig.js';
import { changeContentOf, page } from '../../test/pages.js';
import { startDyingRig, type DyingRig } from '../../test/replicas.js';
import { emptySpace } from '../../test/zips.js';
import { readPdf } from './test/read-pdf.js';

jest.setTimeout(240_000);

/** Replicas die when a part of a large PDF is noted, and when a PDF is. */
const points = ['op_runs "parts":["', 'op_pdfs "sheets"'];
/** `npm test` kills imports and translations, whose steps are recorded in the same way. */
const long = inFull ? describe : describe.skip;
/** Children of a process are told by this system alone. */
const onLinux = existsSync('/proc/self/task') ? it : it.skip;

/** The processes that lay out, of these replicas. */
function layoutsOf(replicas: readonly number[]): number[] {
  return replicas
    .flatMap((pid) => textAt(`/proc/${pid}/task/${pid}/children`).trim().split(' '))
    .filter((pid) => pid !== '' && textAt(`/proc/${pid}/cmdline`).includes('layout.child'))
    .map(Number);
}

/** What a file says; nothing when it is gone. */
function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

long('a PDF', () => {
  let rig: DyingRig;
  beforeAll(async () => void (rig = await startDyingRig(points)), 120_000);
  afterAll(() => rig.stop());

  const space = async (): Promise<string> => {
    let id = 'undefined';
    await eventually(async () => (id = await emptySpace(rig)) !== 'undefined', 30_000);
    return id;
  };
  const urlOf = async (id: string): Promise<string> => {
    let url: unknown;
    const path = `/spaces/${id}/pdf`;
    await eventually(async () => typeof (url = (await rig.send('GET', path)).body['url']) === 'string', 30_000);
    return String(url);
  };
  /** The PDF at an address, once it is answered with one. */
  const pdfAt = async (url: string) => {
    let bytes: Uint8Array | undefined;
    await eventually(async () => {
      const answer = await fetch(url).catch(() => undefined);
      if (answer?.status !== 200) return false;
      bytes = new Uint8Array(await answer.arrayBuffer());
      return true;
    }, 120_000);
    return readPdf(bytes ?? new Uint8Array());
  };

  onLinux('is made again after the service was killed in the middle of its layout, which ends as well', async () => {
    const id = await space();
    const code = `\`\`\`js\n${'const a = [1, 2, 3].map((one) => one + 1);\n'.repeat(480)}\`\`\`\n\n`;
    await changeContentOf(rig, id, [page('Code', code.repeat(4))]);
    const url = await urlOf(id);
    const broken = fetch(url).then(
      ({ status }) => status,
      () => 0,
    );
    let layouts: number[] = [];
    await eventually(() => (layouts = layoutsOf(rig.pids())).length > 0, 30_000);
    for (const pid of rig.pids()) process.kill(pid, 'SIGKILL');
    expect(await broken).not.toBe(200);
    await eventually(() => layouts.every((pid) => !existsSync(`/proc/${pid}`)), 60_000);
    expect((await pdfAt(url)).texts.join('')).toContain('const a = [1, 2, 3]');
  });

  it('of many pages goes on where it was when a replica is killed', async () => {
    const id = await space();
    const pages = Array.from({ length: 60 }, (_, index) => page(`Chapter ${index + 1}`, 'Text.'));
    for (let start = 0; start < pages.length; start += 20)
      await changeContentOf(rig, id, pages.slice(start, start + 20));
    const url = await urlOf(id);
    const before = rig.deaths();
    await rig.arm();
    expect((await pdfAt(url)).bookmarks).toHaveLength(60);
    expect(rig.deaths() - before).toBe(points.length);
  });
});
