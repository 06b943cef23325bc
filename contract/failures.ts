// Every failure of the API: the code is for programs, the text for people. The thrower provides the `{placeholders}`.

export const failures = {
  malformed_request: { status: 400, text: 'The request is not valid HTTP: {problem}' },
  malformed_json: { status: 400, text: 'The body is not valid JSON' },
  invalid_input: { status: 400, text: '{field}: {problem}' },
  weak_password: { status: 400, text: 'This password is easy to guess: {problem}. Choose another one' },
  malformed_upload: { status: 400, text: 'The body is not valid multipart/form-data: {problem}' },
  untimely_form: {
    status: 400,
    text: 'The form was submitted too quickly or was open for too long. Wait a moment or reload the page, then submit it again',
  },
  no_file: { status: 400, text: "The request contains no image. Send one file in the multipart field 'image'" },
  too_many_files: { status: 400, text: 'Too many files' },
  empty_file: { status: 400, text: 'File is smaller than 1 byte' },
  authentication_required: { status: 401, text: 'Authentication required' },
  invalid_token: { status: 401, text: 'The token is invalid or has ended. Log in again' },
  api_key_expired: { status: 401, text: 'This API key has expired. Create a new one' },
  wrong_credentials: { status: 401, text: 'Invalid email or password' },
  guest_token_required: {
    status: 401,
    text: 'Authentication required: send the delete_token of this image in X-Guest-Token, or log in as its owner',
  },
  database_locked: { status: 401, text: 'The database view is locked. Enter its PIN' },
  forbidden: { status: 403, text: 'You do not have permission to do this' },
  wrong_guest_token: { status: 403, text: 'The guest token does not belong to this image' },
  wrong_delete_token: { status: 403, text: 'The delete token does not belong to this image' },
  wrong_pin: { status: 403, text: 'Incorrect PIN. Please try again.' },
  system_collection: { status: 403, text: '{name} is a system collection: {problem}' },
  download_link_ended: { status: 403, text: 'This download link has ended. Ask for a new one' },
  password_expired: {
    status: 403,
    text: 'This password was temporary and has expired. Ask an administrator for a new one',
  },
  inactive_account: { status: 403, text: 'This account is inactive' },
  image_blocked: { status: 403, text: 'This image is not accepted here' },
  address_blocked: { status: 403, text: 'Requests from your network are not accepted here' },
  own_network: { status: 409, text: 'The network {network} contains your own address' },
  block_list_full: { status: 409, text: 'The block list has {limit} entries. Remove some first' },
  foreign_origin: { status: 403, text: 'Uploads from other origins require an API key' },
  foreign_form: { status: 403, text: 'Messages are accepted from this site only' },
  guest_uploads_off: { status: 403, text: 'Uploads without an account are disabled on this server. Log in first' },
  upload_by_url_off: { status: 403, text: 'Uploads by URL are disabled on this server' },
  endpoint_not_found: { status: 404, text: 'There is no endpoint {method} {path}' },
  image_not_found: { status: 404, text: 'Image not found' },
  session_not_found: { status: 404, text: 'Session not found' },
  api_key_not_found: { status: 404, text: 'API key not found' },
  collection_not_found: { status: 404, text: 'Collection not found' },
  document_not_found: { status: 404, text: 'Document not found' },
  user_not_found: { status: 404, text: 'User not found' },
  backup_not_found: { status: 404, text: 'Backup not found' },
  report_not_found: { status: 404, text: 'Report not found' },
  webhook_not_found: { status: 404, text: 'Webhook not found' },
  delivery_not_found: { status: 404, text: 'Delivery not found' },
  backup_file_missing: { status: 404, text: 'The archive of this backup is not on this server' },
  method_not_allowed: { status: 405, text: 'Method {method} is not allowed for this path. Allowed: {allowed}' },
  request_timeout: { status: 408, text: 'The request was not received in time' },
  backup_running: { status: 409, text: 'Backup {id} is running. Try again when it is completed' },
  last_admin: { status: 409, text: 'The last active admin cannot be demoted, deactivated or deleted' },
  own_account: {
    status: 403,
    text: 'You cannot change your own role or status, or delete yourself. Change your password with PUT /api/me',
  },
  too_many_api_keys: { status: 409, text: 'You have {limit} API keys. Delete one first' },
  too_many_webhooks: { status: 409, text: 'You have {limit} webhooks. Delete one first' },
  webhook_off: { status: 409, text: 'The webhook is switched off. Switch it on first' },
  too_many_deliveries: { status: 409, text: 'The webhook has {limit} pending deliveries. Wait until they are sent' },
  wrong_password: { status: 403, text: 'The current password is wrong' },
  password_required: { status: 403, text: 'Confirm this with your password, or log in again' },
  api_key_not_enough: { status: 403, text: 'This endpoint does not accept API keys. Log in' },
  api_key_scope: { status: 403, text: "This API key does not have the scope '{scope}'" },
  api_key_in_url: { status: 403, text: 'A URL may contain only an API key whose only scope is upload' },
  report_decided: { status: 409, text: 'An admin has already decided about this report' },
  document_exists: { status: 409, text: 'A document with the _id {id} already exists' },
  document_changed: { status: 409, text: 'The document was changed by another request. Load it again' },
  registration_failed: { status: 409, text: 'Registration failed. If you already have an account, log in' },
  image_gone: { status: 410, text: 'This image has expired or was deleted' },
  file_too_large: { status: 413, text: 'File is larger than {maxBytes} bytes' },
  quota_exceeded: {
    status: 413,
    text: 'This would exceed the storage quota of your account, {limit}. Delete images, then try again',
  },
  api_key_quota: { status: 413, text: 'This API key may upload {limit} in all. Left: {left}' },
  body_too_large: { status: 413, text: 'The body is larger than {maxBytes} bytes' },
  unsupported_body: { status: 415, text: 'The Content-Type is not supported. Send {expected}' },
  unsupported_type: { status: 415, text: 'File type must be {types}' },
  range_not_satisfiable: { status: 416, text: 'The requested range is outside of the file' },
  expectation_failed: { status: 417, text: 'The only supported expectation is 100-continue' },
  broken_image: { status: 422, text: 'The image is broken or incomplete: {problem}' },
  idempotency_key_reused: { status: 422, text: 'This Idempotency-Key was used for another file. Send a new key' },
  image_over_limit: { status: 422, text: 'The image exceeds a limit: {problem}' },
  url_not_fetched: { status: 422, text: 'The image could not be fetched from its URL: {problem}' },
  proof_of_work_required: {
    status: 428,
    text: 'A proof of work is required. Solve the challenge in X-Challenge, then send the proof in X-Proof-Of-Work',
  },
  pin_locked: { status: 429, text: 'Too many wrong PINs. Try again in {minutes} minutes' },
  pin_off: {
    status: 429,
    text: 'Too many wrong PINs of all users. Try again in {hours} hours, or ask the operator to reset the PIN (command reset-pin)',
  },
  too_many_requests: { status: 429, text: 'Too many requests. Try again in {seconds} seconds' },
  head_too_large: { status: 431, text: 'The request line and headers are larger than {maxBytes} bytes' },
  image_unavailable: { status: 451, text: 'This image is not available' },
  internal: { status: 500, text: 'Internal server error. Request id: {requestId}' },
  busy: { status: 503, text: 'The server is busy. Try again in a moment' },
  reports_full: { status: 503, text: 'Too many reports wait for a decision. Try again later' },
  storage_unavailable: {
    status: 503,
    text: 'The storage of this server is unavailable. Try again in a moment',
  },
  no_space_for_backup: {
    status: 507,
    text: 'Not enough disk space: a backup needs about {neededBytes} bytes, {freeBytes} are free',
  },
  guest_quota_full: {
    status: 507,
    text: 'The storage for uploads without an account, {limit} in all, is full. Log in to upload',
  },
  total_quota_full: { status: 507, text: 'The storage of this server, limited to {limit}, is full' },
  storage_full: { status: 507, text: 'The server has no storage space left' },
  documents_full: {
    status: 507,
    text: 'The collections have reached {maxBytes} bytes, the most that they may have together. Delete documents first',
  },
} as const satisfies Record<string, { status: number; text: string }>

export type FailureCode = keyof typeof failures

/** Names of the placeholders in a failure's text, which are required when it is thrown. */
type Placeholders<T extends string> = T extends `${string}{${infer N}}${infer R}` ? N | Placeholders<R> : never
export type FailureParams<C extends FailureCode> = Record<Placeholders<(typeof failures)[C]['text']>, string | number>

/** The text of a failure with its placeholders filled in. */
export function failureText<C extends FailureCode>(code: C, params: FailureParams<C>): string {
  return failures[code].text.replace(/\{(\w+)\}/g, (_, name: string) =>
    String((params as Record<string, string | number>)[name]),
  )
}
