const encoder = new TextEncoder();

/** Whether a text has more than `most` bytes as UTF-8. */
export function exceedsBytes(text: string, most: number): boolean {
  if (text.length > most) return true;
  // One unit of a string has at most three bytes.
  return text.length * 3 > most && encoder.encode(text).length > most;
}

/**
 * What a check of a schema says about a text that has too many bytes. A request that fails for nothing else gets 413.
 */
export function tooManyBytes(most: number) {
  return { message: `Must be at most ${most} bytes`, params: { reason: 'too_large' } };
}
