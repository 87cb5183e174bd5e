import { compile, type CompiledSpecification, type CompileOptions } from '../compile.js';
import { openPack, type Pack } from '../slices/pack.js';

/** A specification with the least that one has. */
export const specification = (parts: object): object => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {},
  ...parts,
});

/** The forms of a specification that is known to be one. */
export async function compiled(given: object | string, options?: CompileOptions): Promise<CompiledSpecification> {
  const result = await compile(typeof given === 'string' ? given : JSON.stringify(given), options);
  if (!result.isReadable) throw new Error(result.problems.items[0]?.message);
  return result;
}

export async function packOf(given: object | string): Promise<Pack> {
  return openPack((await compiled(given)).pack.bytes);
}

export function documentOf({ document }: CompiledSpecification): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(document.bytes).toString()) as Readonly<Record<string, unknown>>;
}
