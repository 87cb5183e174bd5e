import { PDFiumLibrary } from '@hyzyla/pdfium';
import { PNG } from 'pngjs';

/** The top of the first sheet of a PDF, where the text of a short page stands; in the size of the sheet. */
export async function pictureOf(pdf: Uint8Array, height: number): Promise<PNG> {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(pdf);
    const sheet = await document.getPage(0).render({ scale: 1, render: 'bitmap' });
    const whole = new PNG({ width: sheet.width, height: sheet.height });
    for (let at = 0; at < sheet.data.length; at += 4) {
      const [blue, green, red, alpha] = sheet.data.subarray(at, at + 4);
      whole.data.set([red ?? 0, green ?? 0, blue ?? 0, alpha ?? 0], at);
    }
    const top = new PNG({ width: sheet.width, height });
    whole.bitblt(top, 0, 0, sheet.width, height, 0, 0);
    document.destroy();
    return top;
  } finally {
    library.destroy();
  }
}

/** A difference that nobody sees, as of the edge of a letter. */
const unseen = 64;

/** The share of pixels that differ visibly; all of them where the sizes are not equal. */
export function differenceOf(one: PNG, other: PNG): number {
  if (one.width !== other.width || one.height !== other.height) return 1;
  const pixels = one.width * one.height;
  let different = 0;
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const channels = [0, 1, 2].map((channel) => 4 * pixel + channel);
    if (channels.some((at) => Math.abs((one.data[at] ?? 0) - (other.data[at] ?? 0)) > unseen)) different += 1;
  }
  return different / pixels;
}
