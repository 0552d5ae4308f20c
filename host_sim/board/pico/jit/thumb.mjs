// SPDX-License-Identifier: MIT
// Translates Thumb instructions (ARMv6-M, as the Cortex-M0+ has them) to WebAssembly. Where
// rp2040js differs from the architecture (the carry of a shift by more than 32), so does this.
import { Block, LR, ONE, OTHER, PC, SP, SRAM_AT } from "./block.mjs";
import {
  add,
  and,
  extend16,
  extend8,
  geU,
  get,
  gtU,
  i32,
  leU,
  load,
  ltU,
  mul,
  or,
  rotr,
  select,
  shl,
  shrS,
  shrU,
  sub,
  when,
  xor,
} from "./wasm.mjs";

const bit = (value, n) => and(shrU(value, n), i32(1));
const inverse = (value) => xor(value, i32(-1));
const registerList = (byte) => [0, 1, 2, 3, 4, 5, 6, 7].filter((r) => byte & (1 << r));

/** The fields of an opcode: rd, rn and rm are its registers from the lowest bits up. */
function fieldsOf(opcode) {
  const bits = (from, count) => (opcode >> from) & ((1 << count) - 1);
  return {
    opcode,
    bits,
    rd: bits(0, 3),
    rn: bits(3, 3),
    rm: bits(6, 3),
    rd8: bits(8, 3),
    imm5: bits(6, 5),
    imm8: bits(0, 8),
  };
}

const lsls = (block, { rd, rn, imm5 }) =>
  block.simple(() => {
    const a = block.reg(rn);
    if (imm5) block.shift(rd, shl(a, i32(imm5)), bit(a, i32(32 - imm5)));
    else block.put(rd, block.setNZ(a)); // MOVS
  });
const lsrs = (block, { rd, rn, imm5 }) =>
  block.simple(() => {
    const a = block.reg(rn);
    block.shift(rd, imm5 ? shrU(a, i32(imm5)) : i32(0), bit(a, i32((imm5 || 32) - 1)));
  });
const asrs = (block, { rd, rn, imm5 }) =>
  block.simple(() => {
    const a = block.reg(rn);
    block.shift(rd, shrS(a, i32(imm5 || 31)), bit(a, i32((imm5 || 32) - 1)));
  });
const addsOrSubs = (block, { bits, rd, rn, rm }) =>
  block.simple(() => {
    const b = bits(10, 1) ? i32(rm) : block.reg(rm);
    block.put(rd, block.compute(bits(9, 1) ? "difference" : "sum", block.reg(rn), b));
  });
const movsImmediate = (block, { rd8, imm8 }) =>
  block.simple(() => block.put(rd8, block.setNZ(i32(imm8))));
const cmpImmediate = (block, { rd8, imm8 }) =>
  block.simple(() => block.compute("difference", block.reg(rd8), i32(imm8)));
const addsImmediate = (block, { rd8, imm8 }) =>
  block.simple(() => block.put(rd8, block.compute("sum", block.reg(rd8), i32(imm8))));
const subsImmediate = (block, { rd8, imm8 }) =>
  block.simple(() => block.put(rd8, block.compute("difference", block.reg(rd8), i32(imm8))));
const dataProcessingOrHighRegisters = (block, { bits, rd, rn }) =>
  bits(10, 1)
    ? block.highRegisters(bits(8, 2), bits(3, 4), (bits(7, 1) << 3) | rd)
    : block.simple(() => DATA_PROCESSING[bits(6, 4)](block, rd, block.reg(rd), block.reg(rn)));
const ldrLiteral = (block, { rd8, imm8 }) =>
  block.loadLiteral(rd8, ((block.at + 4) & ~3) + 4 * imm8);
const registerOffset = (block, { bits, rd, rn, rm }) => {
  const kind = bits(9, 3);
  const address = add(block.reg(rm), block.reg(rn));
  return kind < 3
    ? block.storeRegister(rd, address, [4, 2, 1][kind])
    : block.loadRegister(rd, address, ["s1", 4, 2, 1, "s2"][kind - 3]);
};
const storeAt =
  (size) =>
  (block, { rd, rn, imm5 }) =>
    block.storeRegister(rd, add(block.reg(rn), i32(size * imm5)), size);
const loadAt =
  (size) =>
  (block, { rd, rn, imm5 }) =>
    block.loadRegister(rd, add(block.reg(rn), i32(size * imm5)), size);
const stackAddress = (block, imm8) => add(block.reg(SP), i32(4 * imm8));
const strStack = (block, { rd8, imm8 }) => block.storeRegister(rd8, stackAddress(block, imm8), 4);
const ldrStack = (block, { rd8, imm8 }) => block.loadRegister(rd8, stackAddress(block, imm8), 4);
const adr = (block, { rd8, imm8 }) =>
  block.simple(() => block.put(rd8, i32((block.at & ~3) + 4 + 4 * imm8)));
const addStack = (block, { rd8, imm8 }) =>
  block.simple(() => block.put(rd8, stackAddress(block, imm8)));
const miscellaneous = (block, { opcode, rd, rn }) => block.miscellaneous(opcode, rd, rn);
const stmia = (block, { rd8, imm8 }) => block.multiple(block.storeWords, rd8, registerList(imm8));
const ldmia = (block, { rd8, imm8 }) => block.multiple(block.loadWords, rd8, registerList(imm8));
const branch = (block, { bits, imm8 }) =>
  block.branch(bits(8, 4), block.at + 4 + ((imm8 << 24) >> 23));
const jump = (block, { opcode }) => block.jump(block.at + 4 + ((opcode << 21) >> 20));
const call = (block, { opcode }, second) =>
  (second & 0xd000) === 0xd000 && block.call(opcode, second);
const interpreted = () => false;

// By the upper five bits of an opcode.
const INSTRUCTIONS = [
  lsls, // 00000
  lsrs, // 00001
  asrs, // 00010
  addsOrSubs, // 00011
  movsImmediate, // 00100
  cmpImmediate, // 00101
  addsImmediate, // 00110
  subsImmediate, // 00111
  dataProcessingOrHighRegisters, // 01000
  ldrLiteral, // 01001
  registerOffset, // 01010
  registerOffset, // 01011
  storeAt(4), // 01100
  loadAt(4), // 01101
  storeAt(1), // 01110
  loadAt(1), // 01111
  storeAt(2), // 10000
  loadAt(2), // 10001
  strStack, // 10010
  ldrStack, // 10011
  adr, // 10100
  addStack, // 10101
  miscellaneous, // 10110
  miscellaneous, // 10111
  stmia, // 11000
  ldmia, // 11001
  branch, // 11010
  branch, // 11011
  jump, // 11100
  interpreted, // 11101
  call, // 11110
  interpreted, // 11111
];

const is32 = geU(get(ONE), i32(32));
const lowByte = (value) => and(value, i32(255));

const lslsRegister = (block, rd, a, b) => {
  const n = block.keep(ONE, lowByte(b));
  const carry = select(n, bit(a, sub(i32(32), n)), block.c);
  block.shift(rd, select(is32, i32(0), shl(a, n)), carry);
};
const lsrsRegister = (block, rd, a, b) => {
  const n = block.keep(ONE, lowByte(b));
  const carry = select(leU(n, i32(32)), bit(a, sub(n, i32(1))), i32(0));
  block.shift(rd, select(is32, i32(0), shrU(a, n)), carry);
};
const asrsRegister = (block, rd, a, b) => {
  const n = block.keep(ONE, select(ltU(lowByte(b), i32(32)), lowByte(b), i32(32)));
  block.shift(rd, shrS(a, select(is32, i32(31), n)), bit(a, sub(n, i32(1))));
};
const adcs = (block, rd, a, b) => {
  const carry = block.keep(OTHER, block.c);
  const addend = block.keep(ONE, add(a, carry));
  block.setC(or(ltU(add(b, addend), b), ltU(addend, carry)));
  block.put(rd, block.compute("sum", b, addend, block.c));
};
const sbcs = (block, rd, a, b) => {
  const carry = block.keep(OTHER, block.c);
  const subtrahend = block.keep(ONE, add(b, sub(i32(1), carry)));
  block.setC(select(carry, geU(a, b), gtU(a, b)));
  block.put(rd, block.compute("difference", a, subtrahend, block.c));
};
const rors = (block, rd, a, b) => {
  block.logic(rd, rotr(a, b));
  block.setC(shrU(block.nz, i32(31)));
};

// By bits 6 to 9 of an opcode; a and b are the values of rd and rm.
const DATA_PROCESSING = [
  (block, rd, a, b) => block.logic(rd, and(a, b)), // ANDS
  (block, rd, a, b) => block.logic(rd, xor(a, b)), // EORS
  lslsRegister,
  lsrsRegister,
  asrsRegister,
  adcs,
  sbcs,
  rors,
  (block, rd, a, b) => block.setNZ(and(a, b)), // TST
  (block, rd, a, b) => block.put(rd, block.compute("difference", i32(0), b)), // RSBS
  (block, rd, a, b) => block.compute("difference", a, b), // CMP
  (block, rd, a, b) => block.compute("sum", a, b), // CMN
  (block, rd, a, b) => block.logic(rd, or(a, b)), // ORRS
  (block, rd, a, b) => block.logic(rd, mul(a, b)), // MULS
  (block, rd, a, b) => block.logic(rd, and(a, inverse(b))), // BICS
  (block, rd, a, b) => block.logic(rd, inverse(b)), // MVNS
];

// By the upper ten bits of an opcode.
const CONVERSIONS = {
  0b1011001000: extend16, // SXTH
  0b1011001001: extend8, // SXTB
  0b1011001010: (a) => and(a, i32(0xffff)), // UXTH
  0b1011001011: (a) => and(a, i32(0xff)), // UXTB
  // REV
  0b1011101000: (a) =>
    or(and(rotr(a, i32(8)), i32(0xff00ff00)), and(rotr(a, i32(24)), i32(0x00ff00ff))),
  // REV16
  0b1011101001: (a) =>
    or(shl(and(a, i32(0x00ff00ff)), i32(8)), and(shrU(a, i32(8)), i32(0x00ff00ff))),
  // REVSH
  0b1011101011: (a) =>
    extend16(or(shl(and(a, i32(0xff)), i32(8)), and(shrU(a, i32(8)), i32(0xff)))),
};

export class ThumbBlock extends Block {
  /** Translate an instruction, `second` being the half-word after it; return false where the
   * interpreter has to execute it. */
  instruction(opcode, second) {
    return INSTRUCTIONS[opcode >> 11](this, fieldsOf(opcode), second);
  }

  /** An instruction that takes one cycle and touches neither memory nor the program counter. */
  simple(action) {
    this.fetch();
    action();
    this.done();
    return true;
  }

  logic(rd, value) {
    this.setNZ(value);
    this.put(rd, this.nz);
  }

  shift(rd, result, carry) {
    this.setC(carry);
    this.put(rd, this.setNZ(result));
  }

  /** ADD, CMP, MOV, and BX or BLX (which of the two is the highest bit of rd). */
  highRegisters(kind, rm, rd) {
    if (kind === 3) return this.branchExchange(rm, rd);
    if (kind === 1) {
      if (rm === PC || rd === PC) return false;
      return this.simple(() => this.compute("difference", this.reg(rd), this.reg(rm)));
    }
    const value = kind === 0 ? add(this.reg(rd), this.reg(rm)) : this.reg(rm);
    if (rd === PC) return this.endAtValue(value, 2);
    return this.simple(() => this.put(rd, rd === SP ? and(value, i32(~3)) : value));
  }

  branchExchange(rm, rd) {
    const link = rd !== 0;
    // for BLX LR, rp2040js overwrites LR before it reads it
    if (rd & 7 || rm === PC || (link && rm === LR)) return false;
    return this.endAtValue(this.reg(rm), 2, () => {
      if (link) this.put(LR, i32((this.at + 2) | 1));
    });
  }

  /** The stack pointer, PUSH, POP, NOP, and what extends or reverses the bytes of a register. */
  miscellaneous(opcode, rd, rn) {
    if (opcode >> 8 === 0b10110000) return this.addToStackPointer(opcode);
    const list = registerList(opcode & 0xff);
    if (opcode >> 9 === 0b1011010) return this.push(list, (opcode >> 8) & 1);
    if (opcode >> 9 === 0b1011110) return this.pop(list, (opcode >> 8) & 1);
    if (opcode === 0xbf00) return this.simple(() => {}); // NOP
    const convert = CONVERSIONS[opcode >> 6];
    return convert !== undefined && this.simple(() => this.put(rd, convert(this.reg(rn))));
  }

  addToStackPointer(opcode) {
    const offset = 4 * (opcode & 0x7f);
    const signed = opcode & 0x80 ? -offset : offset;
    return this.simple(() => this.put(SP, and(add(this.reg(SP), i32(signed)), i32(~3))));
  }

  push(list, withLR) {
    const registers = withLR ? [...list, LR] : list;
    if (!registers.length) return false;
    const first = sub(this.reg(SP), i32(4 * registers.length));
    const at = this.words(first, registers.length);
    this.fetch();
    this.storeWords(at, registers);
    this.put(SP, and(first, i32(~3)));
    this.done(1 + list.length);
    return true;
  }

  pop(list, withPC) {
    const count = list.length + withPC;
    if (!count) return false;
    const sp = this.reg(SP);
    const at = this.words(sp, count);
    const loadList = () => {
      this.loadWords(at, list);
      this.put(SP, and(add(sp, i32(4 * count)), i32(~3)));
    };
    if (withPC) {
      const pc = load(4, at, SRAM_AT + 4 * list.length);
      return this.endAtValue(pc, 3 + list.length, loadList);
    }
    this.fetch();
    loadList();
    this.done(1 + count);
    return true;
  }

  /** STMIA, LDMIA: `transfer` is storeWords or loadWords. */
  multiple(transfer, rn, list) {
    if (!list.length) return false;
    const first = this.reg(rn);
    const at = this.words(first, list.length);
    this.fetch();
    transfer.call(this, at, list);
    if (!list.includes(rn)) this.put(rn, add(first, i32(4 * list.length)));
    this.done(1 + list.length);
    return true;
  }

  branch(condition, target) {
    if (condition > 13 || !this.translator.has(target)) return false; // 14 and 15: UDF and SVC
    this.fetch();
    this.emit(when(this.holds(condition), this.goTo(target, 2)));
    this.worst++;
    this.done();
    return true;
  }

  jump(target) {
    if (!this.translator.has(target)) return false;
    this.fetch();
    return this.endAt(target, 2);
  }

  /** BL. */
  call(opcode, second) {
    const sign = (opcode >> 10) & 1;
    const i1 = 1 ^ sign ^ ((second >> 13) & 1);
    const i2 = 1 ^ sign ^ ((second >> 11) & 1);
    const upper = (-sign << 24) | (i1 << 23) | (i2 << 22);
    const target = this.at + 4 + (upper | ((opcode & 0x3ff) << 12) | ((second & 0x7ff) << 1));
    if (!this.translator.has(target)) return false;
    this.fetch();
    this.fetch(this.at + 2);
    this.put(LR, i32((this.at + 4) | 1));
    return this.endAt(target, 3);
  }
}
