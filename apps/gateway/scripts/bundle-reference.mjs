// Places the script of the reference page beside the built gateway, compressed, so that it is served from here alone.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
const script = readFileSync(join(dirname(entry), 'js', 'standalone.js'));
const target = new URL('../dist/assets/', import.meta.url);
mkdirSync(target, { recursive: true });
writeFileSync(new URL('reference.js.gz', target), gzipSync(script, { level: 9 }));
