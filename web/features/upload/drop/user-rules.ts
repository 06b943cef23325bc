import { limits } from '../../../../contract/limits.ts'
import { formatBytes } from '../../../../contract/format-bytes.ts'
import { area } from '../../../texts/upload-messages.ts'
import { typesFor, type UploadRules } from './rules.ts'

export const userRules: UploadRules = {
  types: typesFor('user'),
  maxBytes: limits.user.maxBytes,
  text: area.limits(formatBytes(limits.user.maxBytes)),
}
