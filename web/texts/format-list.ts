// The accepted formats as the screens list them.
import { listAccepted } from '../../contract/formats.ts'

/** 'PNG, JPG/JPEG or WebP'. */
export const formatList = (uploader: 'guest' | 'user'): string => listAccepted(uploader, '/')
