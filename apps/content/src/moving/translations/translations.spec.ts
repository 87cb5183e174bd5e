import { describe, it } from '@jest/globals';
import { given } from '@scriptorium/event-sourcing/testing';
import { translationBounds } from '@scriptorium/contracts';
import { close, create, remove, removeOfSpaces, translations } from './translations.js';
import type { TranslationListEvent } from './translations.events.js';

type Data = Extract<TranslationListEvent, { type: 'TranslationCreated' }>['data'];
const german: Data = { translation: 't1', source: 's1', from: 'en', language: 'de', result: 'r1' };
const wanted = { ...german, spaceLanguage: undefined, limit: 500 };
const created = (data: Partial<Data> = {}): TranslationListEvent => ({
  type: 'TranslationCreated',
  data: { ...german, ...data },
});
const deleted = (translation: string): TranslationListEvent => ({ type: 'TranslationDeleted', data: { translation } });
const closed: TranslationListEvent = { type: 'TranslationsClosed', data: {} };

describe('the translations of an organization', () => {
  it('have one for each space and language', () => {
    given(translations, [])
      .when((state) => create(state, wanted))
      .then([created()]);
    given(translations, [created()])
      .when((state) => create(state, { ...wanted, translation: 't2', result: 'r2' }))
      .thenFails('conflict');
    given(translations, [created()])
      .when((state) => create(state, { ...wanted, translation: 't2', result: 'r2', language: 'fr' }))
      .then([created({ translation: 't2', result: 'r2', language: 'fr' })]);
    given(translations, [created(), deleted('t1')])
      .when((state) => create(state, { ...wanted, translation: 't2', result: 'r2' }))
      .then([created({ translation: 't2', result: 'r2' })]);
  });

  it('refuse the result of another one as a source', () => {
    given(translations, [created()])
      .when((state) => create(state, { ...wanted, translation: 't2', source: 'r1', result: 'r2', language: 'fr' }))
      .thenFails('conflict');
  });

  it('refuse the language of the source, and one that the space does not have', () => {
    given(translations, [])
      .when((state) => create(state, { ...wanted, language: 'en' }))
      .thenFails('invalid_request');
    given(translations, [])
      .when((state) => create(state, { ...wanted, spaceLanguage: 'fr' }))
      .thenFails('invalid_request');
    given(translations, [])
      .when((state) => create(state, { ...wanted, spaceLanguage: 'en' }))
      .then([created()]);
  });

  it('are counted for the organization and for the space', () => {
    given(translations, [created()])
      .when((state) => create(state, { ...wanted, translation: 't2', source: 's2', result: 'r2', limit: 1 }))
      .thenFails('limit_reached');
    const others = ['fr', 'es', 'it', 'pt', 'pt-br', 'ru', 'ja', 'zh', 'zh-tw', 'yue', 'ko', 'ar', 'hi', 'nl', 'pl'];
    const all = [...others, 'tr', 'sv', 'no', 'da', 'fi'].slice(0, translationBounds.languages) as Data['language'][];
    const full = all.map((language, i) => created({ translation: `o${i}`, result: `ro${i}`, language }));
    given(translations, full)
      .when((state) => create(state, wanted))
      .thenFails('limit_reached');
  });

  it('end with their source, with their result, and with the organization', () => {
    const other = created({ translation: 't2', source: 's2', result: 'r2' });
    given(translations, [created(), other])
      .when((state) => removeOfSpaces(state, ['s2']))
      .then([deleted('t2')]);
    given(translations, [created(), other])
      .when((state) => removeOfSpaces(state, ['r2', 'none']))
      .then([deleted('t2')]);
    given(translations, [created(), deleted('t1')])
      .when((state) => remove(state, 't1'))
      .then([]);
    given(translations, [created(), other])
      .when(close)
      .then([deleted('t1'), deleted('t2'), closed]);
    given(translations, [closed])
      .when((state) => create(state, wanted))
      .thenFails('not_found');
    given(translations, [closed]).when(close).then([]);
  });
});
