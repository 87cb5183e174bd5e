const MOST_RECENT = 50_000;

/**
 * Ids of events written lately, so that a repeated write without an expected revision is recognised. Bounded, oldest
 * out first.
 */
export class RecentIds {
  private readonly places = new Map<string, { readonly stream: string; readonly revision: number }>();

  /** @param id 16 bytes */
  add(id: Buffer, stream: string, revision: number): void {
    const key = id.toString('latin1');
    this.places.delete(key);
    this.places.set(key, { stream, revision });
    if (this.places.size <= MOST_RECENT) return;
    const oldest = this.places.keys().next();
    if (oldest.done !== true) this.places.delete(oldest.value);
  }

  find(id: Buffer, stream: string): number | undefined {
    const place = this.places.get(id.toString('latin1'));
    return place?.stream === stream ? place.revision : undefined;
  }

  remove(id: Buffer): void {
    this.places.delete(id.toString('latin1'));
  }
}
