import type { PublishingPlace } from './addresses.js';

/** Where this installation publishes sites, for controllers and queries. */
export class Publishing {
  readonly place: PublishingPlace;

  constructor({ domain, appUrl }: { domain: string; appUrl: string }) {
    // Nobody has certificates for names below `localhost`.
    const isLocal = domain === 'localhost' || domain.endsWith('.localhost');
    this.place = { domain, scheme: isLocal ? new URL(appUrl).protocol : 'https:' };
  }
}
