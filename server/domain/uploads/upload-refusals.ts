// What a refusal of an upload means for those who hold its bytes: resumable uploads and imports.
import type { uploadFailures } from '../../../contract/endpoints/images.ts'
import type { FailureCode } from '../../../contract/plain/failures.ts'

/**
 * 'lasting': the same upload would be refused once more. 'passing': it may be taken later, such as when a quota has room.
 * 'everybody': no upload would be taken now, so an import stops.
 */
type Refusal = 'lasting' | 'passing' | 'everybody'

const refusals: Partial<Record<FailureCode, Refusal>> = {
  album_is_live: 'lasting',
  album_not_found: 'lasting',
  album_role: 'lasting',
  api_key_in_url: 'lasting',
  api_key_quota: 'passing',
  broken_image: 'lasting',
  busy: 'passing',
  decoder_unavailable: 'everybody',
  empty_file: 'lasting',
  file_too_large: 'lasting',
  foreign_origin: 'passing',
  guest_quota_full: 'passing',
  guest_uploads_off: 'passing',
  idempotency_key_reused: 'lasting',
  image_blocked: 'lasting',
  image_gone: 'lasting',
  image_over_limit: 'lasting',
  invalid_input: 'lasting',
  malformed_upload: 'lasting',
  no_file: 'lasting',
  quota_exceeded: 'passing',
  storage_full: 'everybody',
  storage_unavailable: 'everybody',
  tags_need_account: 'lasting',
  too_many_files: 'lasting',
  total_quota_full: 'everybody',
  unsupported_body: 'lasting',
  unsupported_type: 'lasting',
  upload_by_url_off: 'passing',
  url_not_fetched: 'passing',
} satisfies Record<(typeof uploadFailures)[number] | 'image_gone' | 'invalid_input' | 'storage_unavailable', Refusal>

export const refusalOf = (code: FailureCode): Refusal => refusals[code] ?? 'passing'
