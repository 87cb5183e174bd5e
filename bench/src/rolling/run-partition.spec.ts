import { describe, expect, it } from '@jest/globals';
import { services } from '@scriptorium/contracts';
import { Cleanup } from '../processes/cleanup.js';
import { runPartition } from './run-partition.js';

describe('a run that cuts a service off', () => {
  it('starts nothing for a service that there is not, and names those that there are', async () => {
    const said: string[] = [];
    const options = { servers: ['nats'], awayMs: 1, replicas: 1, say: (text: string) => void said.push(text) } as const;
    const names = services.map(({ name }) => name).join(', ');
    await expect(runPartition({ ...options, service: 'contnet' }, new Cleanup())).rejects.toThrow(
      `There is no service "contnet"; the services are ${names}`,
    );
    expect(said).toEqual([]);
  });
});
