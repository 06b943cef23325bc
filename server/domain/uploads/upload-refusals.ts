// What a refusal of an upload means for those who hold its bytes: resumable uploads and imports.
import type { uploadFailures } from '../../../contract/endpoints/images.ts'
import type { FailureCode } from '../../../contract/plain/failures.ts'

/**
 * 'again': the same upload would be refused again. 'passing': it may be taken later, such as when a quota has room.
 * 'everybody': no upload is taken until the operator acts.
 */
type Refusal = 'again' | 'passing' | 'everybody'

const refusals: Partial<Record<FailureCode, Refusal>> = {
  album_is_live: 'again',
  album_not_found: 'again',
  album_role: 'again',
  api_key_in_url: 'again',
  api_key_quota: 'passing',
  broken_image: 'again',
  busy: 'passing',
  decoder_unavailable: 'everybody',
  empty_file: 'again',
  file_too_large: 'again',
  foreign_origin: 'passing',
  guest_quota_full: 'passing',
  guest_uploads_off: 'passing',
  idempotency_key_reused: 'again',
  image_blocked: 'again',
  image_gone: 'again',
  image_over_limit: 'again',
  invalid_input: 'again',
  malformed_upload: 'again',
  no_file: 'again',
  quota_exceeded: 'passing',
  storage_full: 'everybody',
  storage_unavailable: 'everybody',
  tags_need_account: 'again',
  too_many_files: 'again',
  total_quota_full: 'everybody',
  unsupported_body: 'again',
  unsupported_type: 'again',
  upload_by_url_off: 'passing',
  url_not_fetched: 'passing',
} satisfies Record<(typeof uploadFailures)[number] | 'image_gone' | 'invalid_input' | 'storage_unavailable', Refusal>

export const refusalOf = (code: FailureCode): Refusal => refusals[code] ?? 'passing'
