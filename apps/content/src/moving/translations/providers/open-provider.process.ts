import { type ProviderPlace } from './ask-provider.process.js';
import { apertiumCommandProvider, apertiumProvider } from './apertium.process.js';
import { chatProvider } from './chat.process.js';
import { deeplProvider } from './deepl.process.js';
import { copyProvider, pseudoProvider } from './in-process.js';
import { libreTranslateProvider } from './libretranslate.process.js';
import { type providerKinds } from './provider-kinds.js';
import { type TranslationProvider } from './provider.js';

/** A kind of provider and what the operator says about it. */
export interface ProviderChoice extends Omit<ProviderPlace, 'url'> {
  readonly kind: (typeof providerKinds)[number];
  /** Where it is. Without one, `apertium` is the command of this machine; all others that are servers need one. */
  readonly url?: string;
  readonly model?: string;
}

/**
 * The provider that was chosen.
 * @throws RangeError when it lacks a URL or a model
 */
export function openProvider({ kind, url, model, ...rest }: ProviderChoice): TranslationProvider {
  if (kind === 'copy') return copyProvider;
  if (kind === 'pseudo') return pseudoProvider;
  if (kind === 'apertium' && url === undefined) return apertiumCommandProvider();
  if (url === undefined) throw new RangeError(`The provider ${kind} needs a URL`);
  const place = { ...rest, url: url.replace(/\/+$/, '') };
  if (kind === 'apertium') return apertiumProvider(place);
  if (kind === 'libretranslate') return libreTranslateProvider(place);
  if (kind === 'deepl') return deeplProvider(place);
  if (model === undefined || model === '') throw new RangeError('The provider chat needs a model');
  return chatProvider(place, model);
}
