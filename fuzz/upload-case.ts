// Generates mutated uploads: the image, its mutations, and how it is sent.
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { formOf } from '../faults/client.ts'
import { byteMutation, maxBytes, mutateBytes, place, at as indexAt, type ByteMutation } from './byte-mutations.ts'
import type { BaseImage, Kind } from './base-images.ts'
import { partsOf } from './file-parts.ts'
import { mutateParts, partMutation, partMutations, type PartMutation } from './part-mutations.ts'
import { mutateText, textMutation, textMutations, type TextMutation } from './text-mutations.ts'

export interface UploadCase {
  /** Position in the base images. */
  image: number
  mutations: (ByteMutation | PartMutation | TextMutation)[]
  /** Whether the checksums are corrected afterwards. */
  fixesChecksums: boolean
  as: 'guest' | 'user'
  name: string
  type: string
  /** Mutations of the multipart form. */
  form: ByteMutation[]
}

const isText = (mutation: { do: string }): mutation is TextMutation => mutation.do in textMutations
const isPart = (mutation: { do: string }): mutation is PartMutation => mutation.do in partMutations

const usual = fc.constantFrom('picture.jpg', 'a.png', 'b.webp', 'c.gif', 'd.svg')
const unusual = fc.constantFrom(
  '',
  '.',
  '../../etc/passwd',
  'CON.jpg',
  '\u202Egnp.exe',
  'ä\u0301🦊.png',
  '__proto__',
  'a"b.png',
  'x'.repeat(5000),
  'a;b=c.png',
  '%00.png',
)

export const uploadCase: fc.Arbitrary<UploadCase> = fc.record({
  image: place,
  mutations: fc.array(
    fc.oneof(
      { arbitrary: byteMutation, weight: 3 },
      { arbitrary: partMutation, weight: 3 },
      { arbitrary: textMutation, weight: 2 },
    ),
    { minLength: 1, maxLength: 3 },
  ),
  fixesChecksums: fc.constantFrom(true, true, true, false),
  // Guests may upload only some formats, so their responses are less varied.
  as: fc.constantFrom('guest', 'user', 'user', 'user'),
  name: fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: unusual, weight: 1 }),
  type: fc.constantFrom('image/jpeg', 'image/png', 'image/svg+xml', 'text/html', ''),
  form: fc.oneof(
    { arbitrary: fc.constant<ByteMutation[]>([]), weight: 19 },
    { arbitrary: fc.array(byteMutation, { maxLength: 2 }), weight: 1 },
  ),
})

/** Returns the mutated file. */
export function fileOf({ image, mutations, fixesChecksums }: UploadCase, set: readonly BaseImage[]): Buffer {
  const { kind, bytes } = set[indexAt(set.length, image)] as BaseImage
  let file = bytes
  for (const mutation of mutations) {
    if (isPart(mutation)) file = mutateParts(file, kind, mutation, set)
    // Text mutations do not apply to raster formats: a bit is flipped instead.
    else if (isText(mutation))
      file = kind === 'svg' ? mutateText(file, mutation) : mutateBytes(file, { do: 'flip', at: mutation.at, bit: 0 })
    else file = mutateBytes(file, mutation)
    file = file.subarray(0, maxBytes)
  }
  return fixesChecksums ? fixChecksums(file, kind) : file
}

/** Otherwise a mutated file fails at its checksum and never reaches the code behind it. */
function fixChecksums(file: Buffer, kind: Kind): Buffer {
  const copy = Buffer.from(file)
  if (kind === 'webp' && copy.length >= 8) copy.writeUInt32LE(copy.length - 8, 4)
  if (kind !== 'png') return copy
  for (const { start, end } of partsOf(copy, kind).slice(1))
    if (end - start >= 12) copy.writeUInt32BE(crc32(copy.subarray(start + 4, end - 4)), end - 4)
  return copy
}

/** Returns the request body. */
export function bodyOf(one: UploadCase, set: readonly BaseImage[]): Buffer {
  const name = Buffer.from(one.name.replaceAll('"', '%22')).toString('latin1')
  return one.form.reduce((body, mutation) => mutateBytes(body, mutation), formOf(fileOf(one, set), name, one.type))
}
