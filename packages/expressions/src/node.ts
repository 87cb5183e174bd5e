import { type Range } from './error.js';

export type UnaryOperator = '!' | '-' | '+' | 'typeof';
export type BinaryOperator = '==' | '!=' | '===' | '!==' | '<' | '<=' | '>' | '>=' | 'in' | '+' | '-' | '*' | '/' | '%';
export type LogicalOperator = '&&' | '||' | '??';

interface Kind<K extends string> extends Range {
  readonly kind: K;
}

interface Literal extends Kind<'literal'> {
  readonly value: undefined | null | boolean | number | string;
}
interface Template extends Kind<'template'> {
  /** One more than `parts`: the text before, between and after them. */
  readonly texts: readonly string[];
  readonly parts: readonly Node[];
}
export interface ArrayLiteral extends Kind<'array'> {
  readonly items: readonly { readonly spread: boolean; readonly node: Node }[];
}
export interface ObjectLiteral extends Kind<'object'> {
  readonly entries: readonly { readonly key: string | Node; readonly value: Node }[];
}
/** A name of the scope. */
interface Variable extends Kind<'variable'> {
  readonly name: string;
}
/** A parameter of a callback; every parameter of an expression has its own slot. */
interface Local extends Kind<'local'> {
  readonly slot: number;
}
/** `object.key` and `object["key"]`. */
interface Member extends Kind<'member'> {
  readonly object: Node;
  readonly key: string;
  readonly optional: boolean;
}
/** `object[key]` with a key known only when evaluated, or a number. */
interface Index extends Kind<'index'> {
  readonly object: Node;
  readonly key: Node;
  readonly optional: boolean;
}
/** The extent of a `?.`: what an absent receiver skips. */
interface Chain extends Kind<'chain'> {
  readonly body: Node;
}
interface Unary extends Kind<'unary'> {
  readonly operator: UnaryOperator;
  readonly operand: Node;
}
interface Binary extends Kind<'binary'> {
  readonly operator: BinaryOperator;
  readonly left: Node;
  readonly right: Node;
}
export interface Logical extends Kind<'logical'> {
  readonly operator: LogicalOperator;
  readonly left: Node;
  readonly right: Node;
}
interface Conditional extends Kind<'conditional'> {
  readonly test: Node;
  readonly consequent: Node;
  readonly alternate: Node;
}
export interface Callback {
  /** Slots of (element, index, array), as many as are declared. */
  readonly slots: readonly number[];
  readonly body: Node;
}
export interface Call extends Kind<'call'> {
  readonly receiver: Node;
  readonly method: string;
  readonly args: readonly Node[];
  readonly callback: Callback | undefined;
  /** `receiver?.method()` */
  readonly optional: boolean;
  /** `receiver.method?.()` */
  readonly optionalCall: boolean;
}

/** An expression after parsing: exactly the accepted constructs, nothing a host could be reached through. */
export type Node =
  | Literal
  | Template
  | ArrayLiteral
  | ObjectLiteral
  | Variable
  | Local
  | Member
  | Index
  | Chain
  | Unary
  | Binary
  | Logical
  | Conditional
  | Call;

export type NodeOf<K extends Node['kind']> = Extract<Node, { kind: K }>;

/** A parsed expression and the number of callback parameters it needs room for. */
export interface Program {
  readonly root: Node;
  readonly slots: number;
}
