/** Returns the text as a cell of CSV (RFC 4180). */
export function csvCell(text: string): string {
  // Spreadsheets run such cells as formulas, and emails and names come from users (OWASP: CSV injection).
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
