// Places the script of the reference page beside the built gateway, compressed, so that it is served from here alone,
// and the examples of the OpenAPI document.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

// Its styles take exactly 1,000 px for narrow and for wide at once, and lay the sidebar over the text.
const narrow = /@media ?\(max-width: ?1000px\)/g;

const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
const script = readFileSync(join(dirname(entry), 'js', 'standalone.js'), 'utf8');
if (!narrow.test(script))
  throw new Error('The reference viewer has other styles: see whether its sidebar covers the text at some width');
const target = new URL('../dist/assets/', import.meta.url);
mkdirSync(target, { recursive: true });
writeFileSync(
  new URL('reference.js.gz', target),
  gzipSync(script.replace(narrow, '@media (width < 1000px)'), { level: 9 }),
);
const examples = JSON.parse(readFileSync(new URL('../examples.json', import.meta.url), 'utf8'));
writeFileSync(new URL('examples.json', target), JSON.stringify(examples));
