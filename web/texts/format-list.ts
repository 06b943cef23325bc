// The accepted formats as the screens list them.
import { listAccepted } from '../../contract/plain/formats.ts'

/** 'PNG, JPG/JPEG or WebP'. */
export const formatList = (uploader: 'guest' | 'user'): string => listAccepted(uploader, '/')
