// Slink's upload from other programs, whose response has fields of our own.
import { uploadFailureBody } from '../uploads/upload-response-format.ts'
import type { CompatProtocol, UploadHandler } from './compat-protocol.ts'

export const slink: CompatProtocol = { failure: uploadFailureBody }

export const slinkUpload: UploadHandler = {
  maxFiles: 1,
  reusesSameBytes: false,
  nameFields: [],
  respond: ([image]) => image,
}
