import { stopwords as arabic } from '@orama/stopwords/arabic';
import { stopwords as bulgarian } from '@orama/stopwords/bulgarian';
import { stopwords as danish } from '@orama/stopwords/danish';
import { stopwords as dutch } from '@orama/stopwords/dutch';
import { stopwords as english } from '@orama/stopwords/english';
import { stopwords as finnish } from '@orama/stopwords/finnish';
import { stopwords as french } from '@orama/stopwords/french';
import { stopwords as german } from '@orama/stopwords/german';
import { stopwords as greek } from '@orama/stopwords/greek';
import { stopwords as hungarian } from '@orama/stopwords/hungarian';
import { stopwords as indian } from '@orama/stopwords/indian';
import { stopwords as indonesian } from '@orama/stopwords/indonesian';
import { stopwords as italian } from '@orama/stopwords/italian';
import { stopwords as japanese } from '@orama/stopwords/japanese';
import { stopwords as lithuanian } from '@orama/stopwords/lithuanian';
import { stopwords as mandarin } from '@orama/stopwords/mandarin';
import { stopwords as norwegian } from '@orama/stopwords/norwegian';
import { stopwords as portuguese } from '@orama/stopwords/portuguese';
import { stopwords as romanian } from '@orama/stopwords/romanian';
import { stopwords as russian } from '@orama/stopwords/russian';
import { stopwords as spanish } from '@orama/stopwords/spanish';
import { stopwords as swedish } from '@orama/stopwords/swedish';
import { stopwords as tamil } from '@orama/stopwords/tamil';
import { stopwords as turkish } from '@orama/stopwords/turkish';
import { stopwords as ukrainian } from '@orama/stopwords/ukrainian';
import { normalised } from './normalise.js';

/** What the list lacks, and words of courtesy and of asking, which every message to a help desk has. */
const moreEnglish = [
  'a on yet still already ever every another without one really actually',
  'hello hi hey dear thanks thank please sorry help just also want need like know get got tell let let us regards',
  "im ive id dont doesnt didnt cant couldnt wont wouldnt isnt arent wasnt hasnt havent i'm",
]
  .join(' ')
  .split(' ');

const lists: ReadonlyMap<string, readonly string[]> = new Map([
  ['ar', arabic],
  ['bg', bulgarian],
  ['da', danish],
  ['de', german],
  ['el', greek],
  ['en', [...english, ...moreEnglish]],
  ['es', spanish],
  ['fi', finnish],
  ['fr', french],
  ['hi', indian],
  ['hu', hungarian],
  ['id', indonesian],
  ['it', italian],
  ['ja', japanese],
  ['lt', lithuanian],
  ['nl', dutch],
  ['no', norwegian],
  ['pt', portuguese],
  ['ro', romanian],
  ['ru', russian],
  ['sv', swedish],
  ['ta', tamil],
  ['tr', turkish],
  ['uk', ukrainian],
  ['zh', mandarin],
]);

const sets = new Map<string, ReadonlySet<string>>();
const none: ReadonlySet<string> = new Set();

/** Languages that have a list of stop words. */
export const listedLanguages: readonly string[] = [...lists.keys()];

/** The words of a language that say nothing about the subject of a text, in lower case. */
export function stopWordsOf(language: string): ReadonlySet<string> {
  const list = lists.get(language);
  if (list === undefined) return none;
  const known = sets.get(language);
  if (known !== undefined) return known;
  const made = new Set(list.map(normalised));
  sets.set(language, made);
  return made;
}
