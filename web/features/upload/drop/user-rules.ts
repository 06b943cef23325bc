import { limits } from '../../../../contract/limits.ts'
import { formatBytes } from '../../../format/bytes.ts'
import { area } from '../../../texts/upload-messages.ts'
import { guestRules, type UploadRules } from './rules.ts'

export const userRules: UploadRules = {
  types: { ...guestRules.types, 'image/gif': ['.gif'], 'image/svg+xml': ['.svg'] },
  maxBytes: limits.user.maxBytes,
  text: area.limits(formatBytes(limits.user.maxBytes)),
}
