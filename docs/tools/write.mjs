import { writeFileSync } from 'node:fs';
import { configurationPage } from './configuration.mjs';

// Run by `npm run docs:write`, after a build: what is generated in `docs/`.
writeFileSync(new URL('../configuration.md', import.meta.url), configurationPage());
