// What may be uploaded, checked before a byte is sent. The server decides by the bytes; this spares the visitor the wait.
import { limits } from '../../../contract/limits.ts'
import { formatBytes } from '../../format/bytes.ts'
import { dropZone, upload } from '../../texts/messages.ts'

export interface UploadRules {
  /** Extensions by MIME type. */
  types: Readonly<Record<string, readonly string[]>>
  maxBytes: number
  /** The same in words, for the zone. */
  text: string
}

export const guestRules: UploadRules = {
  types: { 'image/png': ['.png'], 'image/jpeg': ['.jpg', '.jpeg'], 'image/webp': ['.webp'] },
  maxBytes: limits.guest.maxBytes,
  text: dropZone.guestLimits(formatBytes(limits.guest.maxBytes)),
}

/** `image/png, .png, …`: for the file dialog and for the message. */
export const acceptedTypes = (rules: UploadRules) => Object.entries(rules.types).flat(2).join(', ')

/** Why these files cannot be uploaded, in words; undefined where they can. One file at a time: more, and all are refused. */
export function refusalOf(files: readonly File[], rules: UploadRules): string | undefined {
  const [file] = files
  if (files.length > 1) return upload.tooMany
  if (file === undefined || !isAccepted(file.type, file.name, rules)) return upload.wrongType(acceptedTypes(rules))
  if (file.size > rules.maxBytes) return upload.tooLarge(rules.maxBytes)
  if (file.size < 1) return upload.tooSmall(1)
  return undefined
}

/** The same while the files are still in the air: names and sizes are not known then, types not in every browser. */
export function refusalOfDrag(items: DataTransferItemList, rules: UploadRules, isSeveral: boolean): string | undefined {
  const files = [...items].filter(({ kind }) => kind === 'file')
  if (files.length > 1 && !isSeveral) return upload.tooMany
  // Of several, one that is right is enough.
  const isWrong = files.length > 0 && files.every(({ type }) => type !== '' && !isAccepted(type, '', rules))
  return isWrong ? upload.wrongType(acceptedTypes(rules)) : undefined
}

/** By type where the browser knows it, else by extension. */
function isAccepted(type: string, name: string, { types }: UploadRules): boolean {
  if (type !== '') return type in types
  return Object.values(types)
    .flat()
    .some((extension) => name.toLowerCase().endsWith(extension))
}
