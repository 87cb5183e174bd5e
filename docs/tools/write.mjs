import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { configurationPage } from './configuration.mjs';
import { errorFiles } from './errors.mjs';

// Run by `npm run docs:write`, after a build: what is generated in `docs/`.
writeFileSync(new URL('../configuration.md', import.meta.url), await configurationPage());

const errors = new URL('../errors/', import.meta.url);
rmSync(errors, { recursive: true, force: true });
mkdirSync(errors);
for (const [name, text] of errorFiles()) writeFileSync(new URL(name, errors), text);
