// SPDX-License-Identifier: MIT
// Encodes WebAssembly (the core specification's binary format) as nested lists of bytes, operands
// before their instruction. All values are i32.

/** Unsigned LEB128. */
export function leb(value) {
  if (value < 0x80) return value;
  const bytes = [];
  do {
    bytes.push((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    value >>>= 7;
  } while (value);
  return bytes;
}

/** Signed LEB128. */
function signedLeb(value) {
  const bytes = [];
  let rest = value | 0;
  for (;;) {
    const byte = rest & 0x7f;
    rest >>= 7;
    if (rest === (byte & 0x40 ? -1 : 0)) {
      bytes.push(byte);
      return bytes;
    }
    bytes.push(byte | 0x80);
  }
}

const buffer = new Uint8Array(4 << 20); // far more than a module takes
let length = 0;

function write(tree) {
  for (let i = 0; i < tree.length; i++) {
    const part = tree[i];
    if (typeof part === "number") buffer[length++] = part;
    else if (part instanceof Uint8Array) {
      buffer.set(part, length);
      length += part.length;
    } else write(part);
  }
}

/** The bytes of a tree. */
export function flat(tree) {
  length = 0;
  write(tree);
  return buffer.slice(0, length);
}

/** The bytes of a tree, after their number. */
export function sized(tree) {
  const bytes = flat(tree);
  return [leb(bytes.length), bytes];
}

export const list = (items) => [leb(items.length), items];
export const text = (value) => [leb(value.length), Buffer.from(value)];
export const section = (id, tree) => [id, sized(tree)];

export const I32 = 0x7f;
export const VOID = 0x40;
export const RETURN = 0x0f;
const i32s = (count) => [count, Array.from({ length: count }, () => I32)];
/** A function type, given the numbers of parameters and results. */
export const type = (parameters, results) => [0x60, i32s(parameters), i32s(results)];
/** A function: its number of locals and its code. */
export const body = (locals, code) => [locals ? [1, locals, I32] : 0, code, 0x0b];

export const i32 = (value) => [0x41, signedLeb(value)];
export const get = (local) => [0x20, local]; // below 128
export const set = (local, value) => [value, 0x21, local];
const unary = (op) => (a) => [a, op];
const binary = (op) => (a, b) => [a, b, op];
export const [eqz, extend8, extend16] = [0x45, 0xc0, 0xc1].map(unary);
export const [eq, ne, ltS, ltU, gtS, gtU, leU, geS, geU] = [
  0x46, 0x47, 0x48, 0x49, 0x4a, 0x4b, 0x4d, 0x4e, 0x4f,
].map(binary);
export const [add, sub, mul, and, or, xor] = [0x6a, 0x6b, 0x6c, 0x71, 0x72, 0x73].map(binary);
export const [shl, shrS, shrU, rotr] = [0x74, 0x75, 0x76, 0x78].map(binary);
export const select = (condition, a, b) => [a, b, condition, 0x1b];
export const when = (condition, then) => [condition, 0x04, VOID, then, 0x0b];
export const either = (result, condition, then, otherwise) => [
  condition,
  0x04,
  result,
  then,
  0x05,
  otherwise,
  0x0b,
];
export const call = (number, ...values) => [values, 0x10, number];
export const tailCall = (number, ...values) => [values, 0x12, number];
export const tailCallInTable = (number, slot, ...values) => [values, slot, 0x13, number, 0];
export const callInTable = (number, slot, ...values) => [values, slot, 0x11, number, 0];
// By the number of bytes; s: with a sign.
const LOAD = { 1: 0x2d, 2: 0x2f, 4: 0x28, s1: 0x2c, s2: 0x2e };
const STORE = { 1: 0x3a, 2: 0x3b, 4: 0x36 };
export const load = (kind, at, offset = 0) => [at, LOAD[kind], 0, leb(offset)];
export const store = (kind, at, value, offset = 0) => [at, value, STORE[kind], 0, leb(offset)];
export const loadFrom = (address, kind = 4) => load(kind, i32(0), address);
export const storeTo = (address, value, kind = 4) => store(kind, i32(0), value, address);
