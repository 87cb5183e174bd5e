import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationPage } from './configuration.mjs';
import { errorFiles } from './errors.mjs';
import { readPages, readSource, root } from './pages.mjs';
import { withSamples } from './samples.mjs';

// Run by `npm run docs:write`, after a build: what is generated in `docs/`, and the code in pages.
writeFileSync(new URL('../configuration.md', import.meta.url), await configurationPage());

const errors = new URL('../errors/', import.meta.url);
rmSync(errors, { recursive: true, force: true });
mkdirSync(errors);
for (const [name, text] of errorFiles()) writeFileSync(new URL(name, errors), text);

for (const page of readPages()) {
  const text = withSamples(page, readSource);
  if (text !== page.text) writeFileSync(join(root, page.path), text);
}
