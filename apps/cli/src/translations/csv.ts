import { StopError } from '../stop-error.js';

/** A line of a file, and where it begins there, counted from 1. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/** Reads comma-separated values with quotes (RFC 4180). Blank lines are left out. @throws StopError with the line */
export function readCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let line = 1;
  let row: CsvRow = { line, cells: [] };
  // A cell with what ends it: a comma, the end of the line, or that of the file.
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  const source = text.replace(/^\uFEFF/, '');
  while (cell.lastIndex < source.length || row.cells.length > 0) {
    const found = cell.exec(source);
    if (found === null) throw new StopError(`line ${line}: a quote is not where a cell begins, or has no end`);
    const [whole, quoted, plain = '', ending = ''] = found;
    row.cells.push(quoted?.replaceAll('""', '"') ?? plain.trim());
    line += whole.split('\n').length - 1;
    if (ending === ',') continue;
    if (row.cells.some((one) => one !== '')) rows.push(row);
    row = { line, cells: [] };
    if (ending === '') break;
  }
  return rows;
}

/** Writes comma-separated values. */
export function writeCsv(rows: ReadonlyArray<readonly string[]>): string {
  return rows.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
