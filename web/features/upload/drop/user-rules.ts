import { formatBytes } from '../../../../contract/plain/format-bytes.ts'
import { listAccepted } from '../../../../contract/plain/formats.ts'
import { uploadLimits } from '../../../model/site.ts'
import { area } from '../../../texts/upload-messages.ts'
import { typesFor, type UploadRules } from './rules.ts'

export const userRules: UploadRules = {
  types: typesFor('user'),
  typeNames: listAccepted('user'),
  maxBytes: uploadLimits.user.maxBytes,
  text: area.limits(formatBytes(uploadLimits.user.maxBytes)),
}
