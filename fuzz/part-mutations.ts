// Mutations of whole parts of a file: chunks, segments, blocks and tags.
import fc from 'fast-check'
import {
  anyOf,
  at,
  inserted,
  type MutationOf,
  numberBytes,
  patched,
  place,
  replaced,
  boundaryNumber,
} from './byte-mutations.ts'
import type { BaseImage, Kind } from './base-images.ts'
import { lengthField, type FilePart, partsOf } from './file-parts.ts'

export const partMutations = {
  'part removed': { at: place },
  'part copied': { at: place, to: place, times: fc.integer({ min: 1, max: 120 }) },
  'parts swapped': { at: place, to: place },
  'part of another': { at: place, other: place, from: place },
  'part emptied': { at: place },
  'length set': { at: place, value: boundaryNumber },
  'length shifted': { at: place, by: fc.constantFrom(-9, -1, 1, 2, 9) },
  'name changed': { at: place, bit: fc.nat(31) },
  'head number': { at: place, skip: fc.nat(15), wide: fc.boolean(), value: boundaryNumber },
  spliced: { at: place, other: place, from: place },
}
export const partMutation = anyOf(partMutations)
export type PartMutation = MutationOf<typeof partMutations>

/** @param set source of the parts of other images */
export function mutateParts(file: Buffer, kind: Kind, mutation: PartMutation, set: readonly BaseImage[]): Buffer {
  const parts = partsOf(file, kind)
  // Skips the first part, which identifies the format: byte mutations change it often enough.
  const target = parts[1 + at(parts.length - 1, mutation.at)] ?? parts[0]
  if (!target) return file
  const { start, end } = target
  const part = file.subarray(start, end)
  switch (mutation.do) {
    case 'part removed':
      return replaced(file, start, end, [])
    case 'part copied':
      return inserted(file, startOf(parts, mutation.to), Array<Buffer>(mutation.times).fill(part))
    case 'parts swapped': {
      const other = parts[at(parts.length, mutation.to)] ?? target
      if (other.start === start) return file
      const [first, second] = other.start < start ? [other, target] : [target, other]
      const between = file.subarray(first.end, second.start)
      const [one, two] = [file.subarray(first.start, first.end), file.subarray(second.start, second.end)]
      return replaced(file, first.start, second.end, [two, between, one])
    }
    case 'part of another': {
      const other = otherOf(set, kind, mutation.other)
      const otherParts = partsOf(other, kind)
      const taken = otherParts[at(otherParts.length, mutation.from)]
      return taken ? inserted(file, start, [other.subarray(taken.start, taken.end)]) : file
    }
    case 'part emptied':
      return kind === 'svg'
        ? replaced(file, start, end, [Buffer.from('<>')])
        : patched(file, start + 8, Buffer.alloc(end - start))
    case 'length set':
    case 'length shifted':
      return withLength(file, target, kind, mutation)
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
      return Buffer.concat([file.subarray(0, start), other.subarray(startOf(partsOf(other, kind), mutation.from))])
    }
  }
}

const startOf = (parts: readonly FilePart[], where: number) => parts[at(parts.length, where)]?.start ?? 0

/** Selects another image, of the same kind in three of four cases. */
function otherOf(set: readonly BaseImage[], kind: Kind, where: number): Buffer {
  const same = set.filter((image) => image.kind === kind)
  const from = where % 4 === 0 ? set : same
  return from[at(from.length, where)]?.bytes ?? Buffer.alloc(0)
}

function withLength(
  file: Buffer,
  { start }: FilePart,
  kind: Kind,
  mutation: { do: 'length set'; value: number } | { do: 'length shifted'; by: number },
): Buffer {
  const field = lengthField[kind]
  if (!field) return file
  const { at: offset, width, little } = field
  if (start + offset + width > file.length) return file
  const stored = little ? file.readUIntLE(start + offset, width) : file.readUIntBE(start + offset, width)
  const value = mutation.do === 'length set' ? mutation.value : Math.max(0, stored + mutation.by)
  return patched(file, start + offset, numberBytes(value, width, little))
}
