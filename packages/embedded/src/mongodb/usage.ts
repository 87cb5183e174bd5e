import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { docElem, entries, T, type Elem } from './bson/index.js';
import type { Command } from './wire.js';

const MOST = 10_000;

/**
 * What clients have asked of a server, by kind: commands, their fields, and the operators in them; never a value. It
 * shows what is used of the protocol, so that nothing used goes untested and nothing large is kept unused.
 */
export class Usage {
  readonly #seen = new Set<string>();

  add(command: Command): void {
    this.#note(command.name);
    for (const [field, value] of command.fields) {
      if (field === command.name || field.startsWith('$')) continue;
      this.#note(`${command.name}.${field}`);
      this.#operators(command.name, value);
    }
    for (const [field, documents] of command.sequences) {
      this.#note(`${command.name}.${field}`);
      for (const document of documents) this.#operators(command.name, docElem(document));
    }
  }

  /** Adds a file with a line for each kind to `folder`. */
  save(folder: string): void {
    mkdirSync(folder, { recursive: true });
    appendFileSync(join(folder, `${process.pid}.txt`), [...this.#seen].map((kind) => `${kind}\n`).join(''));
  }

  #operators(command: string, value: Elem): void {
    if (value.t !== T.object && value.t !== T.array) return;
    for (const [name, inner] of entries(value)) {
      if (name.startsWith('$')) this.#note(`${command} ${name.startsWith('$[') ? '$[]' : name}`);
      this.#operators(command, inner);
    }
  }

  #note(kind: string): void {
    if (this.#seen.size < MOST) this.#seen.add(kind);
  }
}
