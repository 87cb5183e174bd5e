import { ProviderFailure, type TranslationProvider } from '../providers/provider.js';

/** How long one request may take, and all of a step, ms: what has been answered then is kept. */
const [requestMs, stepMs] = [110_000, 230_000];

/** A provider that does not hold up a step for too long. */
export interface TimedProvider {
  provider: TranslationProvider;
  /** Whether the time of the step is over. */
  isOver: () => boolean;
}

/** Gives a provider as much time as a step has. */
export function inTime(provider: TranslationProvider): TimedProvider {
  const end = performance.now() + stepMs;
  const isOver = (): boolean => performance.now() >= end;
  const timed = async (...[batch, signal]: Parameters<TranslationProvider['translate']>) => {
    const left = Math.min(requestMs, end - performance.now());
    if (left <= 0) throw new ProviderFailure('The provider takes too long');
    const late = AbortSignal.timeout(left);
    try {
      return await provider.translate(batch, AbortSignal.any([signal, late]));
    } catch (error) {
      if (!late.aborted || signal.aborted) throw error;
      // A language model may go on and on about one text.
      throw new ProviderFailure('The provider takes too long', { isOfText: left === requestMs });
    }
  };
  return {
    provider: { ...provider, translates: (from, to) => provider.translates(from, to), translate: timed },
    isOver,
  };
}
