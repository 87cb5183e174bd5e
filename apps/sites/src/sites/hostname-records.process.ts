import { Resolver } from 'node:dns/promises';
import { AppError } from '@scriptorium/contracts';

const timeoutMs = 3_000;
const tries = 2;

/** Asks the domain name system for the records that verify hostnames. */
export class HostnameRecords {
  readonly #servers: readonly string[];

  /** `servers`: name servers to ask; those of the machine if there are none. */
  constructor(servers: readonly string[]) {
    this.#servers = servers;
  }

  /**
   * Whether a name has a TXT record with this value. `withinMs`: for all name servers together.
   * @throws AppError `bad_gateway` when no name server answers
   */
  async has(name: string, value: string, withinMs: number): Promise<boolean> {
    const resolver = new Resolver({ timeout: timeoutMs, tries });
    if (this.#servers.length > 0) resolver.setServers(this.#servers);
    const late = setTimeout(() => resolver.cancel(), withinMs);
    try {
      const records = await resolver.resolveTxt(name);
      return records.some((parts) => parts.join('') === value);
    } catch (error) {
      if (isAbsent(error)) return false;
      throw new AppError('bad_gateway', [], {
        message: `The domain name system does not answer for ${name}`,
        cause: error,
      });
    } finally {
      clearTimeout(late);
    }
  }
}

/** There is no such name, or it has no such records. */
function isAbsent(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
