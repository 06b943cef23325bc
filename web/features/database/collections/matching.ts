/** The names that contain what is typed, whatever the case. Spaces around it are nothing. */
export function matching(names: readonly string[], typed: string): readonly string[] {
  const wanted = typed.trim().toLowerCase()
  return wanted === '' ? names : names.filter((name) => name.toLowerCase().includes(wanted))
}
