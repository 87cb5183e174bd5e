import type { NodeCompiler, NodeTypstDocument } from '@myriaddreamin/typst-ts-node-compiler';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { framed, unframed, type LayoutAnswer, type LayoutOrder } from './layout-messages.js';

/**
 * Runs as a process of its own: the library is native, and nothing else stops it. Its files are those that it is given,
 * below a folder that is not there.
 */
const root = '/nonexistent/pdf';
const template = `${root}/page.typ`;
/** Characters of what is said about a failure. */
const mostSaid = 2_000;

const { head, rest } = unframed(await buffer(process.stdin));
const { answer, pdf } = await layOut(head as LayoutOrder, rest);
process.stdout.write(framed(answer));
if (pdf !== undefined) process.stdout.write(pdf);

async function layOut(order: LayoutOrder, bytes: Buffer): Promise<{ answer: LayoutAnswer; pdf?: Buffer }> {
  const library = await import('@myriaddreamin/typst-ts-node-compiler').catch((error: unknown) => String(error));
  if (typeof library === 'string') return { answer: { outcome: 'missing', says: library.slice(0, mostSaid) } };
  if (order.isProbe === true) return { answer: { outcome: 'done', sheets: 0, isAccessible: false } };
  const compiler = library.NodeCompiler.create({
    workspace: root,
    fontArgs: [{ fontBlobs: order.fonts.map((path) => readFileSync(path)) }],
  });
  compiler.addSource(template, order.page);
  compiler.mapShadow(`${root}/doc.json`, bytes.subarray(0, order.doc));
  let from = order.doc;
  for (const { name, size } of order.pictures) {
    compiler.mapShadow(`${root}/${name}`, bytes.subarray(from, from + size));
    from += size;
  }
  compiler.mapShadow(`${root}/broken.json`, Buffer.from(JSON.stringify(brokenOf(compiler, order))));
  const result = compiler.compile({ mainFilePath: template });
  const document = result.result;
  if (document === null) {
    const error = result.takeDiagnostics();
    const says = error === null ? 'no diagnostics' : JSON.stringify(compiler.fetchDiagnostics(error));
    return { answer: { outcome: 'failed', says: says.slice(0, mostSaid) } };
  }
  const sheets = document.numOfPages;
  if (sheets > order.sheets) return { answer: { outcome: 'too_long', sheets } };
  return { ...written(compiler, document, sheets) };
}

/** Pictures that the library cannot read: one of them would fail everything. */
function brokenOf(compiler: NodeCompiler, { pictures }: LayoutOrder): string[] {
  return pictures.flatMap(({ name }) => {
    const alone = `${root}/${name}.typ`;
    compiler.addSource(alone, `#image("${name}", width: 10pt)`);
    return compiler.compile({ mainFilePath: alone }).hasError() ? [name] : [];
  });
}

/** The PDF, for readers with special needs if its content allows that. */
function written(compiler: NodeCompiler, document: NodeTypstDocument, sheets: number) {
  try {
    const pdf = compiler.pdf(document, { pdfStandard: 'ua-1' });
    return { answer: { outcome: 'done', sheets, isAccessible: true } as const, pdf };
  } catch {
    const pdf = compiler.pdf(document, {});
    return { answer: { outcome: 'done', sheets, isAccessible: false } as const, pdf };
  }
}
