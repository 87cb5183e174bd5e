import { describe, expect, it } from '@jest/globals';
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace-base';
import { tracingTo } from './span-exporter.js';
import { createTracing } from './tracing.js';

describe('tracing', () => {
  it('forwards the trace context of the caller when it is off', async () => {
    const off = await createTracing('identity', undefined);
    expect(await off.span('x', { kind: 'server', parent: '00-a' }, (context) => Promise.resolve(context))).toBe('00-a');
  });

  it('continues the trace of the caller and marks failures', async () => {
    const exporter = new InMemorySpanExporter();
    const tracing = tracingTo('identity', exporter);
    const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const handed = await tracing.span('getTeam', { kind: 'server', parent }, (context) => Promise.resolve(context));
    expect(handed).toMatch(/^00-a{32}-[0-9a-f]{16}-01$/);
    const failed = tracing.span('x', { kind: 'client', parent: 'nonsense' }, () => Promise.reject(new TypeError('no')));
    await expect(failed).rejects.toThrow('no');
    const flushed = exporter.getFinishedSpans.bind(exporter);
    const kept: string[] = [];
    const original = exporter.shutdown.bind(exporter);
    exporter.shutdown = () => {
      kept.push(...flushed().map(({ name, status }) => `${name} ${status.code}`));
      return original();
    };
    await tracing.stop();
    expect(kept).toEqual(['getTeam 0', 'x 2']);
  });
});
