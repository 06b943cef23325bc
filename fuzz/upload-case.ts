// One mutated upload: what is done to which picture, and how it is sent.
import fc from 'fast-check'
import { formOf } from '../faults/client.ts'
import { byteMutation, maxBytes, mutateBytes, place, at as indexAt, type ByteMutation } from './bytes.ts'
import type { GoodPicture } from './good-set.ts'
import { fixChecksums } from './fix-checksums.ts'
import { mutateParts, partMutation, type PartMutation } from './parts.ts'
import { mutateText, textMutation, type TextMutation } from './svg-text.ts'

export interface UploadCase {
  /** A place in the good set. */
  picture: number
  mutations: (ByteMutation | PartMutation | TextMutation)[]
  /** Whether its checksums are put right afterwards. */
  mended: boolean
  as: 'guest' | 'user'
  name: string
  type: string
  /** Of the multipart form around it. */
  form: ByteMutation[]
}

const isText = (mutation: { do: string }): mutation is TextMutation => mutation.do in textMutations
const isPart = (mutation: { do: string }): mutation is PartMutation => mutation.do in partMutations
const textMutations = {
  'text added': 1,
  'unicode added': 1,
  'value changed': 1,
  'number changed': 1,
  'attribute added': 1,
  nested: 1,
  'element repeated': 1,
} satisfies Record<TextMutation['do'], 1>
const partMutations = {
  'part removed': 1,
  'part copied': 1,
  'parts swapped': 1,
  'part of another': 1,
  'part emptied': 1,
  'length told': 1,
  'length off': 1,
  'name changed': 1,
  'head number': 1,
  spliced: 1,
} satisfies Record<PartMutation['do'], 1>

const usual = fc.constantFrom('picture.jpg', 'a.png', 'b.webp', 'c.gif', 'd.svg')
const odd = fc.constantFrom(
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
  picture: place,
  mutations: fc.array(
    fc.oneof(
      { arbitrary: byteMutation, weight: 3 },
      { arbitrary: partMutation, weight: 3 },
      { arbitrary: textMutation, weight: 2 },
    ),
    { minLength: 1, maxLength: 3 },
  ),
  mended: fc.constantFrom(true, true, true, false),
  // Guests may send half of the kinds only: their answers are the duller ones.
  as: fc.constantFrom('guest', 'user', 'user', 'user'),
  name: fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: odd, weight: 1 }),
  type: fc.constantFrom('image/jpeg', 'image/png', 'image/svg+xml', 'text/html', ''),
  form: fc.oneof(
    { arbitrary: fc.constant<ByteMutation[]>([]), weight: 19 },
    { arbitrary: fc.array(byteMutation, { maxLength: 2 }), weight: 1 },
  ),
})

/** The file, mutated. */
export function fileOf({ picture, mutations, mended }: UploadCase, set: readonly GoodPicture[]): Buffer {
  const { kind, bytes } = set[indexAt(set.length, picture)] as GoodPicture
  let file = bytes
  for (const mutation of mutations) {
    if (isPart(mutation)) file = mutateParts(file, kind, mutation, set)
    // In a file of pixels a text has no meaning: something is still done to it.
    else if (isText(mutation))
      file = kind === 'svg' ? mutateText(file, mutation) : mutateBytes(file, { do: 'flip', at: mutation.at, bit: 0 })
    else file = mutateBytes(file, mutation)
    file = file.subarray(0, maxBytes)
  }
  return mended ? fixChecksums(file, kind) : file
}

/** The body as it is sent. */
export function bodyOf(one: UploadCase, set: readonly GoodPicture[]): Buffer {
  const name = Buffer.from(one.name.replaceAll('"', '%22')).toString('latin1')
  return one.form.reduce((body, mutation) => mutateBytes(body, mutation), formOf(fileOf(one, set), name, one.type))
}
