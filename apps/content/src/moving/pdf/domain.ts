import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { ContentObjects, FileServer, FileStore } from '../../versions/index.js';
import { pdfLayoutHandler } from './pdf-layout.run.js';
import { PdfLayouts } from './pdf-layouts.process.js';
import { PdfServer } from './pdf-server.process.js';
import { PdfController } from './pdf.controller.js';
import { pdfsOfErasedPeopleReactor, pdfsOfPurgedSpacesReactor } from './pdf.reactor.js';
import { pdfSettings } from './pdf.settings.js';
import { sweepPdfs, sweepPdfsCommand } from './pdf-sweeper.process.js';
import { pdfIndexes } from './pdfs.operational.js';

/** Content as PDF. */
export const pdf = defineDomain({
  name: 'pdf',
  settings: pdfSettings,
  controllers: [PdfController],
  objects: ({ context, settings, use }) => {
    const files = use(FileStore);
    const sources = { objects: use(ContentObjects), access: use(ServiceAccess) };
    const layouts = new PdfLayouts(context, settings, sources, files);
    return [layouts, new PdfServer({ context, layouts, files, server: use(FileServer) })];
  },
  runs: ({ context, use }) => {
    const layouts = use(PdfLayouts);
    const sources = { objects: use(ContentObjects), access: use(ServiceAccess) };
    return [pdfLayoutHandler({ context, sources, files: use(FileStore), layouts })];
  },
  reactors: ({ context, use }) => [
    pdfsOfPurgedSpacesReactor(context, use(FileStore)),
    pdfsOfErasedPeopleReactor(context, use(FileStore)),
  ],
  timers: ({ context, use }) => ({ [sweepPdfsCommand]: sweepPdfs(context, use(FileStore)) }),
  checks: ({ use }) => [() => use(PdfLayouts).check()],
  indexes: pdfIndexes,
});
