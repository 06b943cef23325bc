// Paths as logs and failures show them: without the credentials that some clients send in them.

/** Redacts API keys, the tokens of delete links and of links in mails, and delete hashes. */
export function redactPath(path: string): string {
  const decoded = path.includes('%') ? decodePath(path) : path
  const redacted = decoded
    // At the start of a word: a random file name may contain ik_.
    .replace(/(?<![\w-])ik_[^/]*/gi, '***')
    .replace(/^(\/k\/)[^/]+/i, '$1***')
    .replace(/^(\/(?:d|unsubscribe)\/[^/]*\/)[^/]+/i, '$1***')
    .replace(/([\w-]{22}\.)[\w-]{20,}/g, '$1***')
  return redacted === decoded ? path : redacted
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
