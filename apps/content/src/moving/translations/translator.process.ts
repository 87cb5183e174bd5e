import { AppError, languages } from '@scriptorium/contracts';
import { ConfigError, createOutbound, parseNetworks } from '@scriptorium/platform';
import { openProvider } from './providers/open-provider.process.js';
import type { TranslationProvider, TranslationUsage } from './providers/provider.js';
import type { TranslationSettings } from './translation.settings.js';

type ProviderSettings = Omit<TranslationSettings, 'TRANSLATION_WAIT_SECONDS'>;
type Code = (typeof languages)[number];

/** What translates in this installation, as its operator has set it. */
export class Translator {
  /** `undefined` while the operator has set none: nothing is translated then. */
  readonly provider: TranslationProvider | undefined;
  /** Requests to the provider at a time. */
  readonly atOnce: number;
  readonly #targets: ReadonlySet<string> | undefined;
  readonly #pricePerMillion: number | undefined;

  /** @throws ConfigError for a provider that lacks a URL or a model */
  constructor(settings: ProviderSettings, now: () => number) {
    const { TRANSLATION_LANGUAGES: targets, TRANSLATION_PRICE_PER_MILLION: price } = settings;
    this.provider = providerOf(settings, now);
    this.atOnce = settings.TRANSLATION_AT_ONCE;
    this.#targets = targets === undefined ? undefined : new Set(targets.split(',').map((code) => code.trim()));
    this.#pricePerMillion = price;
  }

  /** @throws AppError `invalid_request` naming the language, with those that there are under `languages` */
  requirePair(from: Code, to: Code): void {
    if (this.#translates(from, to)) return;
    const others = languages.filter((code) => code !== from && this.#translates(from, code));
    const message = `What is written in ${from} is not translated into ${to} here`;
    const details = [
      { path: 'body.language', message },
      { path: 'languages', message: others.join(', ') },
    ];
    throw new AppError('invalid_request', details, { message: `body.language: ${message}` });
  }

  /** What a usage costs; `undefined` without a price. */
  costOf({ characters, promptTokens, completionTokens }: TranslationUsage): number | undefined {
    if (this.#pricePerMillion === undefined) return undefined;
    const tokens = promptTokens + completionTokens;
    return ((tokens > 0 ? tokens : characters) * this.#pricePerMillion) / 1_000_000;
  }

  #translates(from: Code, to: Code): boolean {
    return this.#targets?.has(to) !== false && this.provider?.translates(from, to) !== false;
  }
}

/** The operator's address is trusted: it may be in any network. */
const anywhere = '0.0.0.0/0,::/0';

function providerOf(settings: ProviderSettings, now: () => number): TranslationProvider | undefined {
  const { TRANSLATION_PROVIDER: kind, TRANSLATION_URL: url, TRANSLATION_KEY: key, TRANSLATION_MODEL: model } = settings;
  if (kind === undefined) return undefined;
  const outbound = createOutbound({ allowed: parseNetworks(anywhere) });
  try {
    return openProvider({
      ...{ kind, outbound, now },
      ...(url !== undefined && { url }),
      ...(key !== undefined && { key }),
      ...(model !== undefined && { model }),
    });
  } catch (error) {
    throw error instanceof RangeError ? new ConfigError(`TRANSLATION_PROVIDER: ${error.message}`) : error;
  }
}
