import * as z from 'zod';

/** Settings of PDFs. */
export const pdfSettings = {
  PDF_FONTS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder with further fonts for PDFs (TTF, OTF, TTC), such as those for Chinese and Korean; which scripts they have is read from them',
    ),
  PDF_MEMORY_MB: z.coerce
    .number()
    .int()
    .min(256)
    .max(65_536)
    .default(1_024)
    .describe('What laying out one PDF may allocate, in MiB; enough for about half as many sheets'),
};

export type PdfSettings = z.output<z.ZodObject<typeof pdfSettings>>;
