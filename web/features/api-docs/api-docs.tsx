// The docs themselves: categories and four tabs.

export function ApiDocs() {
  return <div />
}
