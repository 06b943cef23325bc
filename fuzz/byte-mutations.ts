// Format-independent mutations: of bits, bytes and byte ranges.
import fc from 'fast-check'

/**
 * A position in a file, in 65,536ths of its length, so that a mutation applies to files of any
 * size.
 */
export const place = fc.nat(0xffff)
export const at = (length: number, where: number) => Math.floor((where * length) / 0x10000)

/** Size limit of a mutated file: larger ones cost time and find nothing that 256 KiB do not. */
export const maxBytes = 256 * 1024

type Mutations = Record<string, Record<string, fc.Arbitrary<unknown>>>
type Value<T> = T extends fc.Arbitrary<infer V> ? V : never

export type MutationOf<Table extends Mutations> = {
  [Name in keyof Table]: { do: Name } & { [Field in keyof Table[Name]]: Value<Table[Name][Field]> }
}[keyof Table]

/** One of the mutations of a table, with its values. */
export const anyOf = <Table extends Mutations>(mutations: Table) =>
  fc.oneof(
    ...Object.entries(mutations).map(([name, fields]) => fc.record({ do: fc.constant(name), ...fields })),
  ) as fc.Arbitrary<MutationOf<Table>>

const short = fc.integer({ min: 1, max: 64 })
const boundaryByte = fc.constantFrom(0, 1, 2, 3, 0x7f, 0x80, 0xfe, 0xff)
/** Numbers at the limits of common integer widths, for lengths and sizes. */
export const boundaryNumber = fc.oneof(
  fc.constantFrom(
    0,
    1,
    2,
    7,
    8,
    0xff,
    0x100,
    0x3fff,
    0x4000,
    0x7fff,
    0xffff,
    0x1_0000,
    0xff_ffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
  ),
  fc.nat(300),
)

const byteMutations = {
  flip: { at: place, bit: fc.nat(7) },
  set: { at: place, value: fc.oneof(boundaryByte, fc.nat(255)) },
  fill: { at: place, length: short, value: boundaryByte },
  noise: { at: place, bytes: fc.uint8Array({ minLength: 1, maxLength: 24 }) },
  truncate: { at: place },
  cut: { at: place, length: short },
  copy: {
    at: place,
    length: short,
    to: place,
    times: fc.integer({ min: 1, max: 200 }),
  },
  move: { at: place, length: short, to: place },
  number: {
    at: place,
    width: fc.constantFrom(2 as const, 3 as const, 4 as const),
    little: fc.boolean(),
    value: boundaryNumber,
  },
  add: { at: place, by: fc.constantFrom(-2, -1, 1, 2, 16, -16) },
  append: { bytes: fc.uint8Array({ minLength: 1, maxLength: 300 }) },
}
export const byteMutation = anyOf(byteMutations)
export type ByteMutation = MutationOf<typeof byteMutations>

export function mutateBytes(file: Buffer, mutation: ByteMutation): Buffer {
  if (mutation.do === 'append') return Buffer.concat([file, mutation.bytes])
  const start = at(file.length, mutation.at)
  switch (mutation.do) {
    case 'flip':
      return patched(file, start, [(file[start] ?? 0) ^ (1 << mutation.bit)])
    case 'set':
      return patched(file, start, [mutation.value])
    case 'fill':
      return patched(file, start, new Uint8Array(mutation.length).fill(mutation.value))
    case 'noise':
      return patched(file, start, mutation.bytes)
    case 'truncate':
      return file.subarray(0, start)
    case 'cut':
      return replaced(file, start, start + mutation.length, [])
    case 'copy': {
      const part = file.subarray(start, start + mutation.length)
      return inserted(file, at(file.length, mutation.to), Array<Buffer>(mutation.times).fill(part))
    }
    case 'move': {
      const part = file.subarray(start, start + mutation.length)
      const rest = replaced(file, start, start + mutation.length, [])
      return inserted(rest, at(rest.length, mutation.to), [part])
    }
    case 'number':
      return patched(file, start, numberBytes(mutation.value, mutation.width, mutation.little))
    case 'add':
      return patched(file, start, [((file[start] ?? 0) + mutation.by) & 0xff])
  }
}

/** Encodes a number in `width` bytes, modulo 2 ** (8 * width). */
export function numberBytes(value: number, width: 1 | 2 | 3 | 4, little: boolean): Buffer {
  const bytes = Buffer.alloc(width)
  const truncated = value % 2 ** (8 * width)
  if (little) bytes.writeUIntLE(truncated, 0, width)
  else bytes.writeUIntBE(truncated, 0, width)
  return bytes
}

export const replaced = (file: Buffer, start: number, end: number, parts: readonly Uint8Array[]) =>
  Buffer.concat([file.subarray(0, start), ...parts, file.subarray(end)])
export const inserted = (file: Buffer, start: number, parts: readonly Uint8Array[]) =>
  replaced(file, start, start, parts)

/** Overwrites bytes; the length of the file does not change. */
export function patched(file: Buffer, start: number, bytes: ArrayLike<number>): Buffer {
  const copy = Buffer.from(file)
  for (let i = 0; i < bytes.length && start + i < copy.length; i++) copy[start + i] = bytes[i] ?? 0
  return copy
}
