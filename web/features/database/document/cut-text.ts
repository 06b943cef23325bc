/** At most `maxChars` of it, and how many are left out. No sign is cut in two. */
export function cutText(text: string, maxChars: number): { shown: string; hidden: number } {
  if (text.length <= maxChars) return { shown: text, hidden: 0 }
  const last = text.charCodeAt(maxChars - 1)
  const end = last >= 0xd8_00 && last <= 0xdb_ff ? maxChars - 1 : maxChars
  return { shown: text.slice(0, end), hidden: text.length - end }
}
