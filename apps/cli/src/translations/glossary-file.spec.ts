import { describe, expect, it } from '@jest/globals';
import { readCsv, writeCsv } from './csv.js';
import { entriesOf, fileOf, operationsFor } from './glossary-file.js';

describe('comma-separated values', () => {
  it('are read as they were written', () => {
    const rows = [
      ['a', 'b, "c"', ' d '],
      ['', 'two\nlines', 'é'],
    ];
    expect(readCsv(writeCsv(rows)).map(({ cells }) => cells)).toEqual(rows);
  });

  it('are read with a mark at their beginning, with other ends of lines, and without blank lines', () => {
    const rows = readCsv('\uFEFFid,en\r\n\r\n1,"a\nb"\r\n,,\r\n2, c ');
    expect(rows).toEqual([
      { line: 1, cells: ['id', 'en'] },
      { line: 3, cells: ['1', 'a\nb'] },
      { line: 6, cells: ['2', 'c'] },
    ]);
    expect(readCsv('')).toEqual([]);
    expect(readCsv('a,')).toEqual([{ line: 1, cells: ['a', ''] }]);
  });

  it.each(['a,"b\n', 'x\na"b,c'])('are refused with the line of a wrong quote: %j', (text) => {
    expect(() => readCsv(text)).toThrow(/^line \d/);
  });
});

describe('a file of a glossary', () => {
  const space = { id: 's', translations: { en: 'space', de: 'Bereich' } };
  const name = { id: 'n', translations: { en: 'Scriptorium', de: null } };

  it('has a column for each language, and says what is never translated', () => {
    const text = fileOf([space, name, { id: 'f', translations: { en: 'page', fr: 'page' } }]);
    expect(text).toBe('id,en,fr,de\ns,space,,Bereich\nn,Scriptorium,,-\nf,page,page,\n');
    expect(entriesOf(text)[1]).toEqual(name);
    expect(operationsFor([space, name], entriesOf(fileOf([space, name])), { replace: true })).toEqual([]);
  });

  it('changes entries by their ids or terms, inserts others, and deletes what it does not have only when asked', () => {
    const file = entriesOf('DE,en\nRaum,Space\nSeite,page\n');
    const changes = [
      { type: 'update', id: 's', translations: { de: 'Raum', en: 'Space' } },
      { type: 'insert', translations: { de: 'Seite', en: 'page' } },
    ];
    expect(operationsFor([space, name], file, { replace: false })).toEqual(changes);
    expect(operationsFor([space, name], file, { replace: true })).toEqual([{ type: 'delete', id: 'n' }, ...changes]);
    const renamed = entriesOf('id,en,de\ns,place,Bereich');
    expect(operationsFor([space], renamed, { replace: false })).toMatchObject([{ type: 'update', id: 's' }]);
    // The file is of another glossary.
    const foreign = entriesOf('id,en,de\nother,space,Raum');
    expect(operationsFor([space], foreign, { replace: true })).toMatchObject([{ type: 'update', id: 's' }]);
  });

  it.each([
    ['', 'the file is empty'],
    ['en,xx\na,b', 'line 1: xx is no language'],
    ['en,de\na,', 'line 2: there must be two languages'],
    ['en,de\na,b,c', 'line 2: there are more cells than columns'],
  ])('is refused: %j', (text, message) => {
    expect(() => entriesOf(text)).toThrow(message);
  });
});
