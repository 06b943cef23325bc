// Mutations of whole parts: chunks, segments, blocks and tags, as the format has them.
import fc from 'fast-check'
import { at, inserted, numberBytes, patched, place, replaced, boundaryNumber } from './bytes.ts'
import type { GoodPicture, Kind } from './good-set.ts'
import { lengthField, type Piece, piecesOf } from './pieces.ts'

export const partMutation = fc.oneof(
  fc.record({ do: fc.constant('part removed' as const), at: place }),
  fc.record({ do: fc.constant('part copied' as const), at: place, to: place, times: fc.integer({ min: 1, max: 120 }) }),
  fc.record({ do: fc.constant('parts swapped' as const), at: place, to: place }),
  fc.record({ do: fc.constant('part of another' as const), at: place, other: place, from: place }),
  fc.record({ do: fc.constant('part emptied' as const), at: place }),
  fc.record({ do: fc.constant('length told' as const), at: place, value: boundaryNumber }),
  fc.record({ do: fc.constant('length off' as const), at: place, by: fc.constantFrom(-9, -1, 1, 2, 9) }),
  fc.record({ do: fc.constant('name changed' as const), at: place, bit: fc.nat(31) }),
  fc.record({
    do: fc.constant('head number' as const),
    at: place,
    skip: fc.nat(15),
    wide: fc.boolean(),
    value: boundaryNumber,
  }),
  fc.record({ do: fc.constant('spliced' as const), at: place, other: place, from: place }),
)
export type PartMutation = typeof partMutation extends fc.Arbitrary<infer T> ? T : never

/** @param set where the parts of another picture come from: one of the same kind when there is a choice */
export function mutateParts(file: Buffer, kind: Kind, mutation: PartMutation, set: readonly GoodPicture[]): Buffer {
  const pieces = piecesOf(file, kind)
  // Without its first part a file is of no kind at all; single bytes see to that often enough.
  const piece = pieces[1 + at(pieces.length - 1, mutation.at)] ?? pieces[0]
  if (!piece) return file
  const { start, end } = piece
  const part = file.subarray(start, end)
  switch (mutation.do) {
    case 'part removed':
      return replaced(file, start, end, [])
    case 'part copied':
      return inserted(file, startOf(pieces, mutation.to), Array<Buffer>(mutation.times).fill(part))
    case 'parts swapped': {
      const other = pieces[at(pieces.length, mutation.to)] ?? piece
      if (other.start === start) return file
      const [first, second] = other.start < start ? [other, piece] : [piece, other]
      const between = file.subarray(first.end, second.start)
      const [one, two] = [file.subarray(first.start, first.end), file.subarray(second.start, second.end)]
      return replaced(file, first.start, second.end, [two, between, one])
    }
    case 'part of another': {
      const other = otherOf(set, kind, mutation.other)
      const theirs = piecesOf(other, kind)
      const taken = theirs[at(theirs.length, mutation.from)]
      return taken ? inserted(file, start, [other.subarray(taken.start, taken.end)]) : file
    }
    case 'part emptied':
      return kind === 'svg'
        ? replaced(file, start, end, [Buffer.from('<>')])
        : patched(file, start + 8, Buffer.alloc(end - start))
    case 'length told':
    case 'length off':
      return kind === 'svg' ? file : withLength(file, piece, kind, mutation)
    case 'name changed':
      return patched(file, start + (mutation.bit >> 3), [
        (file[start + (mutation.bit >> 3)] ?? 0) ^ (1 << (mutation.bit & 7)),
      ])
    case 'head number':
      return patched(
        file,
        start + 4 + mutation.skip,
        numberBytes(mutation.value, mutation.wide ? 4 : 2, kind === 'webp' || kind === 'gif'),
      )
    case 'spliced': {
      const other = otherOf(set, kind, mutation.other)
      return Buffer.concat([file.subarray(0, start), other.subarray(startOf(piecesOf(other, kind), mutation.from))])
    }
  }
}

const startOf = (pieces: readonly Piece[], where: number) => pieces[at(pieces.length, where)]?.start ?? 0

/** Three in four of the same kind. */
function otherOf(set: readonly GoodPicture[], kind: Kind, where: number): Buffer {
  const same = set.filter((picture) => picture.kind === kind)
  const from = where % 4 === 0 ? set : same
  return from[at(from.length, where)]?.bytes ?? Buffer.alloc(0)
}

function withLength(
  file: Buffer,
  { start }: Piece,
  kind: Exclude<Kind, 'svg'>,
  mutation: { do: 'length told'; value: number } | { do: 'length off'; by: number },
): Buffer {
  const { at: offset, width, little } = lengthField[kind]
  if (start + offset + width > file.length) return file
  const told = little ? file.readUIntLE(start + offset, width) : file.readUIntBE(start + offset, width)
  const value = mutation.do === 'length told' ? mutation.value : Math.max(0, told + mutation.by)
  return patched(file, start + offset, numberBytes(value, width, little))
}
