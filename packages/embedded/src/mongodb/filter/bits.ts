import { inspect, items, numberOf, T, type Elem, type Path } from '../bson/index.js';
import { badValue, failedToParse } from '../bson/errors.js';
import type { Node } from './node.js';
import { pred } from './predicates.js';

/** `$bitsAllSet`, `$bitsAllClear`, `$bitsAnySet`, `$bitsAnyClear`. */
export function bitsNode(path: Path, name: string, operand: Elem): Node {
  const mask = maskOf(name, operand);
  return pred(path, name, operand, true, (v) => {
    const all = v === undefined ? undefined : bitsOf(v);
    if (all === undefined) return false;
    const bits = all & mask;
    if (name === '$bitsAllSet') return bits === mask;
    if (name === '$bitsAllClear') return bits === 0n;
    return name === '$bitsAnySet' ? bits !== 0n : bits !== mask;
  });
}

/** The bits of a whole number, of which a negative one has no end, or of binary data; undefined for other values. */
function bitsOf(v: Elem): bigint | undefined {
  if (v.t === T.int64) return v.b.readBigInt64LE(v.s);
  if (v.t === T.binary)
    return BigInt(
      `0x0${Buffer.from(v.b.subarray(v.s + 5, v.e))
        .reverse()
        .toString('hex')}`,
    );
  const n = numberOf(v);
  return n === undefined || !Number.isInteger(n) || Math.abs(n) >= 2 ** 63 ? undefined : BigInt(n);
}

function maskOf(name: string, operand: Elem): bigint {
  if (operand.t === T.array) return items(operand).reduce((mask, v) => mask | (1n << positionOf(name, v)), 0n);
  const mask = bitsOf(operand);
  if (mask === undefined)
    throw badValue(`${name} takes an Array, a number, or a BinData but received: ${inspect(operand)}`);
  if (mask < 0n)
    throw failedToParse(`Failed to parse ${name}. Expected a non-negative number in: ${name}: ${inspect(operand)}`);
  return mask;
}

const MOST_POSITION = 2 ** 31 - 1;

function positionOf(name: string, v: Elem): bigint {
  const n = numberOf(v);
  if (n === undefined || !Number.isInteger(n) || n < 0 || n > MOST_POSITION)
    throw failedToParse(`Failed to parse bit position in ${name}. Expected a non-negative integer: ${inspect(v)}`);
  return BigInt(n);
}
