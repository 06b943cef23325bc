// Which files may be uploaded. The server decides by the bytes; this check avoids the wait.
import { formats, formatsFor, listAccepted } from '../../../../contract/plain/formats.ts'
import { uploadLimits } from '../../../model/site.ts'
import { upload } from '../../../texts/messages.ts'

export interface UploadRules {
  /** Extensions with their dot, by MIME type. */
  types: Readonly<Record<string, readonly string[]>>
  /** The names of the types as text. */
  typeNames: string
  maxBytes: number
}

export function rulesOf(uploader: 'guest' | 'user'): UploadRules {
  const rows = formatsFor(uploader).map((name) => formats[name])
  return {
    types: Object.fromEntries(
      rows.map(({ mime, extensions }) => [mime, extensions.map((extension) => `.${extension}`)]),
    ),
    typeNames: listAccepted(uploader),
    maxBytes: uploadLimits[uploader].maxBytes,
  }
}

/** `image/png, .png, …`, for the file dialog. */
export const acceptedTypes = (rules: UploadRules) => Object.entries(rules.types).flat(2).join(', ')

/** Returns why a file is not uploaded; undefined if it is. */
export function refusalOf(file: File, rules: UploadRules): string | undefined {
  if (!isAccepted(file.type, file.name, rules)) return upload.wrongType(rules.typeNames)
  if (file.size > rules.maxBytes) return upload.tooLarge(rules.maxBytes)
  if (file.size < 1) return upload.tooSmall(1)
  return undefined
}

/** The same during a drag, when names and sizes are unknown and some types are missing. */
export function refusalOfDrag(items: DataTransferItemList, rules: UploadRules): string | undefined {
  const files = [...items].filter(({ kind }) => kind === 'file')
  // One accepted file of several is enough.
  const isWrong = files.length > 0 && files.every(({ type }) => type !== '' && !isAccepted(type, '', rules))
  return isWrong ? upload.wrongType(rules.typeNames) : undefined
}

/** By the type where the browser reports one, otherwise by the extension. */
function isAccepted(type: string, name: string, { types }: UploadRules): boolean {
  if (type !== '') return type in types
  return Object.values(types)
    .flat()
    .some((extension) => name.toLowerCase().endsWith(extension))
}
