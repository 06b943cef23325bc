// Mutations that know nothing of formats: bits, bytes and runs of them.
import fc from 'fast-check'

/** A place in a file as 65,536ths of its length: so a mutation means something in a file of any size. */
export const place = fc.nat(0xffff)
export const at = (length: number, where: number) => Math.floor((where * length) / 0x10000)

/** No mutant is larger: a megabyte of copies costs time and finds what 256 KiB find. */
export const maxBytes = 256 * 1024

const short = fc.integer({ min: 1, max: 64 })
const telling = fc.constantFrom(0, 1, 2, 3, 0x7f, 0x80, 0xfe, 0xff)
/** What lengths and sizes break at, in whatever width they are written. */
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

export const byteMutation = fc.oneof(
  fc.record({ do: fc.constant('flip' as const), at: place, bit: fc.nat(7) }),
  fc.record({ do: fc.constant('set' as const), at: place, value: fc.oneof(telling, fc.nat(255)) }),
  fc.record({ do: fc.constant('fill' as const), at: place, length: short, value: telling }),
  fc.record({ do: fc.constant('noise' as const), at: place, bytes: fc.uint8Array({ minLength: 1, maxLength: 24 }) }),
  fc.record({ do: fc.constant('truncate' as const), at: place }),
  fc.record({ do: fc.constant('cut' as const), at: place, length: short }),
  fc.record({
    do: fc.constant('copy' as const),
    at: place,
    length: short,
    to: place,
    times: fc.integer({ min: 1, max: 200 }),
  }),
  fc.record({ do: fc.constant('move' as const), at: place, length: short, to: place }),
  fc.record({
    do: fc.constant('number' as const),
    at: place,
    width: fc.constantFrom(2 as const, 3 as const, 4 as const),
    little: fc.boolean(),
    value: boundaryNumber,
  }),
  fc.record({ do: fc.constant('add' as const), at: place, by: fc.constantFrom(-2, -1, 1, 2, 16, -16) }),
  fc.record({ do: fc.constant('append' as const), bytes: fc.uint8Array({ minLength: 1, maxLength: 300 }) }),
)
export type ByteMutation = typeof byteMutation extends fc.Arbitrary<infer T> ? T : never

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

/** A number in so many bytes; what does not fit is cut off at the top. */
export function numberBytes(value: number, width: 1 | 2 | 3 | 4, little: boolean): Buffer {
  const bytes = Buffer.alloc(width)
  const fitting = value % 2 ** (8 * width)
  if (little) bytes.writeUIntLE(fitting, 0, width)
  else bytes.writeUIntBE(fitting, 0, width)
  return bytes
}

export const replaced = (file: Buffer, start: number, end: number, parts: readonly Uint8Array[]) =>
  Buffer.concat([file.subarray(0, start), ...parts, file.subarray(end)])
export const inserted = (file: Buffer, start: number, parts: readonly Uint8Array[]) =>
  replaced(file, start, start, parts)

/** The file keeps its length. */
export function patched(file: Buffer, start: number, bytes: ArrayLike<number>): Buffer {
  const copy = Buffer.from(file)
  for (let i = 0; i < bytes.length && start + i < copy.length; i++) copy[start + i] = bytes[i] ?? 0
  return copy
}
