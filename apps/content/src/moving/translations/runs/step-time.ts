import { ProviderFailure, type TranslationProvider } from '../providers/provider.js';

/** How long one request may take, and all of a batch, ms: what has been answered then is kept. */
const [requestMs, batchMs] = [110_000, 230_000];

/** A provider that does not hold up a step for too long. */
export function inTime(provider: TranslationProvider): TranslationProvider {
  const end = performance.now() + batchMs;
  return {
    ...provider,
    translates: (from, to) => provider.translates(from, to),
    async translate(batch, signal) {
      const left = Math.min(requestMs, end - performance.now());
      if (left <= 0) throw new ProviderFailure('The provider takes too long');
      const late = AbortSignal.timeout(left);
      try {
        return await provider.translate(batch, AbortSignal.any([signal, late]));
      } catch (error) {
        if (late.aborted && !signal.aborted) throw new ProviderFailure('The provider takes too long');
        throw error;
      }
    },
  };
}
