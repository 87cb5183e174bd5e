import type { Rig } from './rig.js';
import { makeSpace } from './spaces.js';
import { translationsOf } from './translations.js';

type Request = [method: string, path: string, body?: object];

/** Requests about translations and the glossary, by operation: each about a translation of its own, of a new space. */
export function translationRequests(rig: Pick<Rig, 'send' | 'organization'>) {
  const org = `/orgs/${rig.organization}`;
  const inGlossary: Record<string, Request> = {
    listTranslations: ['GET', `${org}/translations`],
    listGlossaryEntries: ['GET', `${org}/translations-glossary`],
    updateGlossaryEntries: ['PUT', `${org}/translations-glossary`, { operations: [{ type: 'delete', id: 'none' }] }],
    getGlossaryEntry: ['GET', `${org}/translations-glossary/none`],
  };
  const ofOne: Record<string, Request> = {
    getTranslation: ['GET', ''],
    updateTranslation: ['PUT', '', { instructions: { markdown: 'Brief.' } }],
    deleteTranslation: ['DELETE', ''],
    runTranslation: ['POST', '/run'],
    listTranslationSegments: ['GET', '/segments'],
    updateTranslationSegment: ['PUT', '/segments/none', { target: 'Text' }],
  };
  return async (operation: string): Promise<Request | undefined> => {
    if (operation === 'createTranslation')
      return ['POST', `${org}/translations`, { language: 'de', source: { space: await makeSpace(rig) } }];
    const [method, rest, body] = ofOne[operation] ?? [];
    if (method === undefined) return inGlossary[operation];
    const { id } = await translationsOf(rig).create('de');
    return [method, `${org}/translations/${id}${rest}`, ...(body === undefined ? [] : [body])] as Request;
  };
}
