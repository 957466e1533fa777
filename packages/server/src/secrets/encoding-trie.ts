/**
 * A trie of every form of every secret, in flat arrays that one thread can hand to another. The nodes of one form follow each other,
 * so most edges lead from a node to the next one and need no memory; the other edges, one for each form at most, are in a hash table.
 *
 * Secrets can be chosen so that they have many forms. Once the trie is full, only the first bytes of further forms are kept, and
 * output that starts like one of them is hidden for the length of that form. This hides too much in rare cases, but never too little.
 */
import { randomInt } from 'node:crypto'
import { leastCharacters } from './secret-encodings.ts'

export type EncodingTrie = {
  /** For each node its byte (bits 0 to 7), `branchStart` and the length of the form that ends there (bits 9 to 15, see `formLength`). */
  readonly nodes: Uint16Array<ArrayBuffer>
  /** Hash table of the edges that do not lead to the next node: pairs of parent and child. Child 0 marks a free slot. */
  readonly branches: Uint32Array<ArrayBuffer>
  /** Bloom filter of the first four bytes of all forms. */
  readonly starts: Uint8Array<ArrayBuffer>
  /** Random, so that an attacker cannot choose secrets whose branches collide. */
  readonly multiplier: number
}

/** Enough for a megabyte of ordinary secrets; 64 MB of memory. */
const mostNodes = 32 * 1024 * 1024
const cutBytes = 8

export function buildEncodingTrie(forms: Iterable<string>, { wholeNodes = mostNodes } = {}): EncodingTrie {
  const trie = new GrowingTrie()
  for (const form of forms) {
    if (form.length < leastCharacters) throw new TypeError('The form of a secret is too short')
    trie.add(form, trie.size > wholeNodes ? cutBytes : form.length)
  }
  return trie.finish()
}

/** The root is followed by nothing but the mark that ends the last path. */
export const isEmpty = ({ nodes }: EncodingTrie): boolean => nodes.length === 2

/** The node that a byte leads to, or -1. */
export function childOf(trie: EncodingTrie, node: number, byte: number): number {
  return isNextNode(trie.nodes, node, byte) ? node + 1 : branchOf(trie, node, byte)
}

export const isNextNode = (nodes: Uint16Array, node: number, byte: number): boolean =>
  ((nodes[node + 1] ?? 0) & (branchStart | 0xff)) === byte

/** As `childOf`, for a byte that does not lead to the next node. */
export function branchOf({ nodes, branches, multiplier }: EncodingTrie, node: number, byte: number): number {
  const last = branches.length - 2
  for (let slot = slotOf(branches, multiplier, (node << 8) | byte); ; slot = (slot + 2) & last) {
    const child = branches[slot + 1] ?? 0
    if (child === 0) return -1
    if (branches[slot] === node && ((nodes[child] ?? 0) & 0xff) === byte) return child
  }
}

/** The length of the form that ends at a node, 0 if none does. A form that was cut is longer than the path to its node. */
export function formLength(nodes: Uint16Array, node: number): number {
  const stored = (nodes[node] ?? 0) >>> lengthShift
  return stored === 0 ? 0 : stored + shorterThanForms
}

/** Whether a form may start with four bytes, given as one number. */
export function mayStart(starts: Uint8Array, four: number): boolean {
  const bit = Math.imul(four, 0x9e3779b1) >>> (32 - startsBits)
  return (((starts[bit >>> 3] ?? 0) >>> (bit & 7)) & 1) === 1
}

/** The node is not a child of the node before it. */
const branchStart = 0x100
const lengthShift = 9
/** Lengths from 6 to 128 are stored in seven bits, 0 stands for no form. */
const shorterThanForms = leastCharacters - 1
/** 256 KB, which fits into the cache of a processor. */
const startsBits = 21

const slotOf = (branches: Uint32Array, multiplier: number, key: number): number =>
  (Math.imul(key, multiplier) >>> (Math.clz32(branches.length) + 2)) * 2

class GrowingTrie implements EncodingTrie {
  nodes = new Uint16Array(16 * 1024)
  branches = new Uint32Array(4 * 1024)
  readonly starts = new Uint8Array(1 << (startsBits - 3))
  readonly multiplier = randomInt(2 ** 31) * 2 + 1
  /** Node 0 is the root. */
  size = 1
  #branchCount = 0

  constructor() {
    this.nodes[this.size] = branchStart
  }

  /** Keeps the first `kept` bytes of a form. */
  add(form: string, kept: number): void {
    const length = Math.min(kept, form.length)
    let node = 0
    let depth = 0
    for (; depth < length; depth++) {
      const child = childOf(this, node, form.charCodeAt(depth))
      if (child < 0) break
      node = child
    }
    if (depth < 4) this.#addStart(form)
    for (; depth < length; depth++) node = this.#addChild(node, form.charCodeAt(depth))
    const stored = Math.max(formLength(this.nodes, node), form.length) - shorterThanForms
    this.nodes[node] = ((this.nodes[node] ?? 0) & (branchStart | 0xff)) | (stored << lengthShift)
  }

  finish(): EncodingTrie {
    const { branches, starts, multiplier } = this
    return { nodes: resized(this.nodes, this.size + 1), branches, starts, multiplier }
  }

  #addChild(parent: number, byte: number): number {
    const child = this.size++
    if (this.size === this.nodes.length) this.nodes = resized(this.nodes, this.size * 2)
    const isNext = parent === child - 1
    this.nodes[child] = isNext ? byte : byte | branchStart
    // Ends the path, so that no byte leads out of the trie.
    this.nodes[this.size] = branchStart
    if (!isNext) this.#addBranch(parent, child)
    return child
  }

  #addBranch(parent: number, child: number): void {
    if (++this.#branchCount * 3 > this.branches.length) {
      const { branches } = this
      this.branches = new Uint32Array(branches.length * 2)
      for (let slot = 0; slot < branches.length; slot += 2)
        if (branches[slot + 1] !== 0) this.#putBranch(branches[slot] ?? 0, branches[slot + 1] ?? 0)
    }
    this.#putBranch(parent, child)
  }

  #putBranch(parent: number, child: number): void {
    const { branches, multiplier } = this
    let slot = slotOf(branches, multiplier, (parent << 8) | ((this.nodes[child] ?? 0) & 0xff))
    while (branches[slot + 1] !== 0) slot = (slot + 2) & (branches.length - 2)
    branches[slot] = parent
    branches[slot + 1] = child
  }

  #addStart(form: string): void {
    const four = [0, 1, 2, 3].reduce((all, at) => (all << 8) | form.charCodeAt(at), 0)
    const bit = Math.imul(four, 0x9e3779b1) >>> (32 - startsBits)
    this.starts[bit >>> 3] = (this.starts[bit >>> 3] ?? 0) | (1 << (bit & 7))
  }
}

const resized = (nodes: Uint16Array<ArrayBuffer>, length: number): Uint16Array<ArrayBuffer> =>
  new Uint16Array(nodes.buffer.transfer(length * nodes.BYTES_PER_ELEMENT))
