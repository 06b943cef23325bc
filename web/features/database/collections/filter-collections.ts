/** The names that contain the typed text, ignoring case and surrounding spaces. */
export function filterCollections(names: readonly string[], typed: string): readonly string[] {
  const wanted = typed.trim().toLowerCase()
  return wanted === '' ? names : names.filter((name) => name.toLowerCase().includes(wanted))
}
