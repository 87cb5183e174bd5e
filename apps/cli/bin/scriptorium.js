#!/usr/bin/env node
import { buildFirst } from './build.js';
import { endOnSignals } from './early-signals.js';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`scriptorium: needs Node 20.19 or newer, this is ${process.versions.node}\n`);
  process.exit(1);
}

const [, , command] = process.argv;
const runs = command === 'start' || command === 'dev';
const handOver = runs ? endOnSignals() : () => undefined;
if (runs) await buildFirst();
const { main } = await import('../dist/main.js');
await main(process.argv, handOver);
