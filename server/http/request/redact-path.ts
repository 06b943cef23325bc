// Paths as logs and failures show them: without the credentials that some clients send in them.
import { redactApiKeys } from '../../logger.ts'

/** Redacts API keys, the tokens of delete links and of links in mails, delete hashes, and ids of resumable uploads. */
export function redactPath(path: string): string {
  const decoded = path.includes('%') ? decodeAscii(path) : path
  const redacted = redactApiKeys(decoded)
    .replace(/^(\/k\/)[^/]+/i, '$1***')
    .replace(/^(\/(?:d|unsubscribe)\/[^/]*\/)[^/]+/i, '$1***')
    .replace(/^(\/api\/uploads\/)[^/]+/i, '$1***')
    .replace(/([\w-]{22}\.)[\w-]{20,}/g, '$1***')
  return redacted === decoded ? path : redacted
}

/** Unlike `decodeURIComponent` also in a path with an escape that is not UTF-8. */
const decodeAscii = (path: string): string =>
  path.replace(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
