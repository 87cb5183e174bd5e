import { describe, expect, it } from '@jest/globals';
import { type ProviderFailure, type TranslationBatch } from './provider.js';
import { apertiumCommandProvider } from './apertium.process.js';
import { runCommand, type CommandBounds } from './run-command.process.js';

const never = new AbortController().signal;
const node = (script: string, bounds: CommandBounds = {}, signal = never): Promise<string> =>
  runCommand({ command: process.execPath, args: ['-e', script], input: 'words' }, bounds, signal);
const failure = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no failure',
    (error: ProviderFailure) => error.message,
  );

describe('a command', () => {
  it('is given its input, and gives what it writes', async () => {
    await expect(node('process.stdin.pipe(process.stdout)')).resolves.toBe('words');
  });

  it('has no settings of the product in its environment', async () => {
    const names = await node('console.log(Object.keys(process.env).sort().join())');
    expect(names.trim()).toMatch(/^LANG,PATH(,PWD)?(,OLDPWD)?(,SHLVL)?(,_)?$/);
  });

  it('fails with its code, without saying what it wrote', async () => {
    const message = await failure(node('console.log("private"); process.exit(3)'));
    expect(message).toMatch(/^The command .+ failed$/);
    expect(message).not.toContain('private');
  });

  it('is ended when it takes too long, writes too much, or is not wanted any more', async () => {
    const endless = 'setInterval(() => undefined, 1000)';
    expect(await failure(node(endless, { withinMs: 50 }))).toBe('The command took longer than 50 ms');
    const writing = 'setInterval(() => process.stdout.write("x".repeat(10000)), 1)';
    expect(await failure(node(writing, { mostBytes: 1_000 }))).toBe('The command writes more than 1000 bytes');
    // Whoever has stopped it does not blame the provider.
    await expect(node(endless, {}, AbortSignal.abort())).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('is named when it is missing', async () => {
    const missing = runCommand({ command: 'no-such-command', args: [], input: '' }, {}, never);
    expect(await failure(missing)).toBe('The command no-such-command cannot be started');
  });
});

describe('apertium as a command', () => {
  const batch: TranslationBatch = {
    from: 'en',
    to: 'es',
    segments: [{ id: 'a', text: 'One' }],
    headings: [],
    terms: [],
    instructions: '',
  };

  it('names a language that it does not have, before it is started', async () => {
    const provider = apertiumCommandProvider('no-such-command');
    expect([provider.translates('en', 'ja'), provider.translates('en', 'es')]).toEqual([false, undefined]);
    expect(await failure(provider.translate({ ...batch, to: 'ja' }, never))).toBe('Apertium has no language ja');
  });

  it('is missing where it is not installed', async () => {
    const provider = apertiumCommandProvider('no-such-command');
    expect(await failure(provider.translate(batch, never))).toBe('The command no-such-command cannot be started');
  });
});
