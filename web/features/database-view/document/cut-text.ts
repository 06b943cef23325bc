/** At most `maxChars` code points of the text, and the number of the rest. */
export function cutText(text: string, maxChars: number): { shown: string; hidden: number } {
  if (text.length <= maxChars) return { shown: text, hidden: 0 }
  const last = text.charCodeAt(maxChars - 1)
  const end = last >= 0xd8_00 && last <= 0xdb_ff ? maxChars - 1 : maxChars
  return { shown: text.slice(0, end), hidden: text.length - end }
}
