import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { createCompressor, encodingIn } from './compression.js';

describe('a text that is sent', () => {
  it('is compressed as well as the client can read it', () => {
    expect(['gzip, deflate, br', 'GZIP', 'br;q=0, gzip;q=0.5', '*', 'br;q=0.000, *'].map(encodingIn)).toEqual([
      'br',
      'gzip',
      'gzip',
      'br',
      'gzip',
    ]);
    expect(['', undefined, 'identity', 'br;q=0', '*;q=0', 'zstd'].map(encodingIn)).toEqual(Array(6).fill(undefined));
  });

  it('is the same after it, and is compressed once', async () => {
    const compressor = createCompressor();
    const text = 'A text of a page. '.repeat(200);
    const [brotli, again, gzip] = [
      await compressor.encode(text, 'br', true),
      await compressor.encode(text, 'br', true),
      await compressor.encode(text, 'gzip', false),
    ];
    expect(brotliDecompressSync(brotli.body).toString()).toBe(text);
    expect(gunzipSync(gzip.body).toString()).toBe(text);
    expect([brotli.encoding, gzip.encoding, again.body === brotli.body]).toEqual(['br', 'gzip', true]);
    expect(brotli.body.length).toBeLessThan(text.length / 10);
  });

  it('stays as it is where it is short, or the client does not say what it reads', async () => {
    const compressor = createCompressor();
    expect(await compressor.encode('short', 'br', false)).toEqual({ body: 'short' });
    expect(await compressor.encode('long'.repeat(1_000), undefined, false)).toEqual({ body: 'long'.repeat(1_000) });
  });
});
