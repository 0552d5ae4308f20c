// SPDX-License-Identifier: MIT
// What each instruction of a Cortex-M0+ (ARMv6-M) does, for a block that is translated. Where rp2040js differs from the architecture (the
// carry of a shift by more than 32) it is as there.
import { Block, LR, ONE, OTHER, PC, SP, SRAM_AT } from './block.mjs';
import {
  add, and, extend16, extend8, geU, get, gtU, i32, leU, load, ltU, mul, or, rotr, select, shl, shrS, shrU, sub, when, xor,
} from './webassembly.mjs';

const bit = (value, n) => and(shrU(value, n), i32(1));
const inverse = (value) => xor(value, i32(-1));

export class ThumbBlock extends Block {
  /** translate one, and its second half; -> false where the interpreter has to do it */
  instruction(opcode, second) {
    const bits = (from, count) => (opcode >> from) & ((1 << count) - 1);
    const low = bits(0, 3), mid = bits(3, 3), high = bits(6, 3), r8 = bits(8, 3), imm5 = bits(6, 5), imm8 = bits(0, 8);
    const near = (by, size) => add(this.reg(by), i32(size * (by === SP ? imm8 : imm5)));
    switch (opcode >> 11) {
      case 0b00000: return this.simply(() => {  // LSLS
        const a = this.reg(mid);
        if (imm5) this.shifts(low, shl(a, i32(imm5)), bit(a, i32(32 - imm5)));
        else this.put(low, this.setNZ(a));  // MOVS
      });
      case 0b00001: return this.simply(() => {  // LSRS
        const a = this.reg(mid);
        this.shifts(low, imm5 ? shrU(a, i32(imm5)) : i32(0), bit(a, i32((imm5 || 32) - 1)));
      });
      case 0b00010: return this.simply(() => {  // ASRS
        const a = this.reg(mid);
        this.shifts(low, shrS(a, i32(imm5 || 31)), bit(a, i32((imm5 || 32) - 1)));
      });
      case 0b00011: return this.simply(() => {  // ADDS, SUBS
        const b = bits(10, 1) ? i32(high) : this.reg(high);
        this.put(low, this.computes(bits(9, 1) ? 'difference' : 'sum', this.reg(mid), b));
      });
      case 0b00100: return this.simply(() => this.put(r8, this.setNZ(i32(imm8))));  // MOVS
      case 0b00101: return this.simply(() => this.computes('difference', this.reg(r8), i32(imm8)));  // CMP
      case 0b00110: return this.simply(() => this.put(r8, this.computes('sum', this.reg(r8), i32(imm8))));  // ADDS
      case 0b00111: return this.simply(() => this.put(r8, this.computes('difference', this.reg(r8), i32(imm8))));  // SUBS
      case 0b01000:
        if (bits(10, 1)) return this.highRegisters(bits(8, 2), bits(3, 4), (bits(7, 1) << 3) | low);
        return this.arithmetic(bits(6, 4), low, mid);
      case 0b01001: return this.loadsLiteral(r8, ((this.at + 4) & ~3) + 4 * imm8);
      case 0b01010: case 0b01011: {
        const at = add(this.reg(high), this.reg(mid)), kind = bits(9, 3);
        return kind < 3 ? this.stores(low, at, [4, 2, 1][kind]) : this.loads(low, at, ['s1', 4, 2, 1, 's2'][kind - 3]);
      }
      case 0b01100: return this.stores(low, near(mid, 4), 4);
      case 0b01101: return this.loads(low, near(mid, 4), 4);
      case 0b01110: return this.stores(low, near(mid, 1), 1);
      case 0b01111: return this.loads(low, near(mid, 1), 1);
      case 0b10000: return this.stores(low, near(mid, 2), 2);
      case 0b10001: return this.loads(low, near(mid, 2), 2);
      case 0b10010: return this.stores(r8, near(SP, 4), 4);
      case 0b10011: return this.loads(r8, near(SP, 4), 4);
      case 0b10100: return this.simply(() => this.put(r8, i32((this.at & ~3) + 4 + 4 * imm8)));  // ADR
      case 0b10101: return this.simply(() => this.put(r8, near(SP, 4)));
      case 0b10110: case 0b10111: return this.various(opcode, low, mid);
      case 0b11000: return this.many(this.storesWords, r8, listed(imm8));
      case 0b11001: return this.many(this.loadsWords, r8, listed(imm8));
      case 0b11010: case 0b11011: return this.branches(bits(8, 4), this.at + 4 + ((imm8 << 24) >> 23));
      case 0b11100: return this.jumps(this.at + 4 + ((opcode << 21) >> 20));
      case 0b11110: return (second & 0xd000) === 0xd000 && this.calls(opcode, second);
      default: return false;
    }
  }

  /** one that takes a cycle and stays inside the processor */
  simply(action) {
    this.fetch();
    action();
    this.done();
    return true;
  }

  logic(rd, value) {
    this.setNZ(value);
    if (rd !== null) this.put(rd, this.nz);
  }

  shifts(rd, result, carry) {
    this.setC(carry);
    this.put(rd, this.setNZ(result));
  }

  arithmetic(op, rd, rm) {
    return this.simply(() => {
      const a = this.reg(rd), b = this.reg(rm), by = and(b, i32(255)), is32 = geU(get(ONE), i32(32));
      switch (op) {
        case 0: return this.logic(rd, and(a, b));  // ANDS
        case 1: return this.logic(rd, xor(a, b));  // EORS
        case 2: {  // LSLS
          const n = this.keep(ONE, by);
          return this.shifts(rd, select(is32, i32(0), shl(a, n)), select(n, bit(a, sub(i32(32), n)), this.c));
        }
        case 3: {  // LSRS
          const n = this.keep(ONE, by);
          return this.shifts(rd, select(is32, i32(0), shrU(a, n)), select(leU(n, i32(32)), bit(a, sub(n, i32(1))), i32(0)));
        }
        case 4: {  // ASRS
          const n = this.keep(ONE, select(ltU(by, i32(32)), by, i32(32)));
          return this.shifts(rd, shrS(a, select(is32, i32(31), n)), bit(a, sub(n, i32(1))));
        }
        case 5: {  // ADCS
          const carry = this.keep(OTHER, this.c), addend = this.keep(ONE, add(a, carry));
          this.setC(or(ltU(add(b, addend), b), ltU(addend, carry)));
          return this.put(rd, this.computes('sum', b, addend, this.c));
        }
        case 6: {  // SBCS
          const carry = this.keep(OTHER, this.c), subtrahend = this.keep(ONE, add(b, sub(i32(1), carry)));
          this.setC(select(carry, geU(a, b), gtU(a, b)));
          return this.put(rd, this.computes('difference', a, subtrahend, this.c));
        }
        case 7: {  // RORS
          this.logic(rd, rotr(a, b));
          return this.setC(shrU(this.nz, i32(31)));
        }
        case 8: return this.logic(null, and(a, b));  // TST
        case 9: return this.put(rd, this.computes('difference', i32(0), b));  // RSBS
        case 10: return this.computes('difference', a, b);  // CMP
        case 11: return this.computes('sum', a, b);  // CMN
        case 12: return this.logic(rd, or(a, b));  // ORRS
        case 13: return this.logic(rd, mul(a, b));  // MULS
        case 14: return this.logic(rd, and(a, inverse(b)));  // BICS
        default: return this.logic(rd, inverse(b));  // MVNS
      }
    });
  }

  /** ADD, CMP, MOV, and BX or BLX (the highest bit of rd) */
  highRegisters(kind, rm, rd) {
    if (kind === 3) {
      if (rd & 7 || rm === PC || (rd && rm === LR)) return false;  // rp2040js has the old value of LR no longer
      return this.endsAnywhere(this.reg(rm), 2, () => { if (rd) this.put(LR, i32((this.at + 2) | 1)); });
    }
    if (kind === 1) {
      if (rm === PC || rd === PC) return false;
      return this.simply(() => this.computes('difference', this.reg(rd), this.reg(rm)));
    }
    const value = kind === 0 ? add(this.reg(rd), this.reg(rm)) : this.reg(rm);
    if (rd === PC) return this.endsAnywhere(value, 2);
    return this.simply(() => this.put(rd, rd === SP ? and(value, i32(~3)) : value));
  }

  various(opcode, low, mid) {
    if (opcode >> 8 === 0b10110000) {  // ADD, SUB: the stack pointer
      const by = 4 * (opcode & 0x7f);
      return this.simply(() => this.put(SP, and(add(this.reg(SP), i32(opcode & 0x80 ? -by : by)), i32(~3))));
    }
    if (opcode >> 9 === 0b1011010) return this.pushes(listed(opcode & 0xff), (opcode >> 8) & 1);
    if (opcode >> 9 === 0b1011110) return this.pops(listed(opcode & 0xff), (opcode >> 8) & 1);
    if (opcode === 0xbf00) return this.simply(() => {});  // NOP
    const convert = {
      0b1011001000: extend16,  // SXTH
      0b1011001001: extend8,  // SXTB
      0b1011001010: (a) => and(a, i32(0xffff)),  // UXTH
      0b1011001011: (a) => and(a, i32(0xff)),  // UXTB
      0b1011101000: (a) => or(and(rotr(a, i32(8)), i32(0xff00ff00)), and(rotr(a, i32(24)), i32(0x00ff00ff))),  // REV
      0b1011101001: (a) => or(shl(and(a, i32(0x00ff00ff)), i32(8)), and(shrU(a, i32(8)), i32(0x00ff00ff))),  // REV16
      0b1011101011: (a) => extend16(or(shl(and(a, i32(0xff)), i32(8)), and(shrU(a, i32(8)), i32(0xff)))),  // REVSH
    }[opcode >> 6];
    return convert !== undefined && this.simply(() => this.put(low, convert(this.reg(mid))));
  }

  pushes(some, andLR) {
    const all = andLR ? [...some, LR] : some;
    if (!all.length) return false;
    const sp = this.reg(SP), first = sub(sp, i32(4 * all.length)), at = this.words(first, all.length);
    this.fetch();
    this.storesWords(at, all);
    this.put(SP, and(first, i32(~3)));
    this.done(1 + some.length);
    return true;
  }

  pops(some, andPC) {
    const count = some.length + andPC;
    if (!count) return false;
    const sp = this.reg(SP), at = this.words(sp, count);
    const all = () => {
      this.loadsWords(at, some);
      this.put(SP, and(add(sp, i32(4 * count)), i32(~3)));
    };
    if (andPC) return this.endsAnywhere(load(4, at, SRAM_AT + 4 * some.length), 3 + some.length, all);
    this.fetch();
    all();
    this.done(1 + count);
    return true;
  }

  /** STMIA, LDMIA: `moves` is storesWords or loadsWords */
  many(moves, rn, some) {
    if (!some.length) return false;
    const first = this.reg(rn), at = this.words(first, some.length);
    this.fetch();
    moves.call(this, at, some);
    if (!some.includes(rn)) this.put(rn, add(first, i32(4 * some.length)));
    this.done(1 + some.length);
    return true;
  }

  branches(condition, target) {
    if (condition > 13 || !this.translation.has(target)) return false;  // 14 and 15 are UDF and SVC
    this.fetch();
    this.emit(when(this.holds(condition), this.goTo(i32(target), 2)));
    this.worst++;
    this.done();
    return true;
  }

  jumps(target) {
    if (!this.translation.has(target)) return false;
    this.fetch();
    return this.ends(i32(target), 2);
  }

  /** BL */
  calls(opcode, second) {
    const sign = (opcode >> 10) & 1, i1 = 1 ^ sign ^ ((second >> 13) & 1), i2 = 1 ^ sign ^ ((second >> 11) & 1);
    const by = (-sign << 24) | (i1 << 23) | (i2 << 22) | ((opcode & 0x3ff) << 12) | ((second & 0x7ff) << 1);
    const target = this.at + 4 + by;
    if (!this.translation.has(target)) return false;
    this.fetch();
    this.fetch(this.at + 2);
    this.put(LR, i32((this.at + 4) | 1));
    return this.ends(i32(target), 3);
  }
}

function listed(byte) { return [0, 1, 2, 3, 4, 5, 6, 7].filter((r) => byte & (1 << r)); }
