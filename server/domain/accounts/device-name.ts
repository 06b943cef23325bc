// Names the device of a login for its user, from the User-Agent of the request.

/** The first match counts: most browsers also claim to be others. */
const programs: [RegExp, string][] = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^Wget\//, 'Wget'],
  [/^python-requests\//, 'Python'],
  [/^(?:node|undici)\b/, 'Node.js'],
]

const systems: [RegExp, string][] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Longer ones are cut: a header may have 16 kB. */
const maxLength = 500

/**
 * Returns browser and system, such as 'Firefox on Windows', or the program. Only words of the tables
 * above, since anyone who has the password chooses the header; null when it has none of them.
 */
export function deviceName(userAgent = ''): string | null {
  const text = userAgent.slice(0, maxLength)
  const find = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(text))?.[1]
  const [program, system] = [find(programs), find(systems)]
  if (program === undefined) return system ?? null
  return system === undefined ? program : `${program} on ${system}`
}
