import { optionLabel, optionsOf } from '../model/table.js';
import { type Md } from '../syntax/md.js';
import { all, areSeveral, contentOf } from './cell-content.js';
import { type ReadColumn } from './table-model.js';

/**
 * The value and the text of an option in a cell; the text of one among several may end in the comma that parts them.
 */
function chosen(node: Md): { value: string; label: string } | undefined {
  const value = node.attributes?.['data-option'];
  const { text, nodes } = contentOf(node);
  return value === undefined || nodes.length > 0 ? undefined : { value, label: text.replace(/\s*,$/, '') };
}

/** The value of an option whose text is what the column calls it. */
export function optionOf(node: Md, column: ReadColumn['column']): string | undefined {
  const option = chosen(node);
  if (!option || option.label === '') return option?.value;
  return option.label === (optionLabel(column, option.value) ?? option.value) ? option.value : undefined;
}

/** The column with the options that its cells choose and it does not list: their texts stand nowhere else. */
export function withChosenOptions(read: ReadColumn, cells: Array<Md | undefined>): ReadColumn {
  if (read.column.type !== 'select') return read;
  const options = optionsOf(read.column);
  const listed = new Set(options.map((option) => option['value']));
  for (const cell of cells) {
    const content = cell && contentOf(cell);
    const chosenHere = content && areSeveral(content) ? all(content.nodes, chosen) : undefined;
    for (const { value, label } of chosenHere ?? []) {
      if (label === '' || label === value || listed.has(value)) continue;
      listed.add(value);
      options.push({ value, label });
    }
  }
  return { ...read, column: { ...read.column, options } };
}
