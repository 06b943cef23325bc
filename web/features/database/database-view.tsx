// The database view: collections, documents of one of them, and one document.
import { DocumentPanel } from './document-panel.tsx'
import { Documents } from './documents.tsx'
import { useDatabaseAddress } from './use-database-address.ts'

export function DatabaseView() {
  const { collection, documentId, openDocument } = useDatabaseAddress()
  return (
    <div>
      {collection !== undefined && <Documents key={collection} collection={collection} />}
      {collection !== undefined && documentId !== undefined && (
        <DocumentPanel
          key={documentId}
          collection={collection}
          id={documentId}
          onSaved={() => {}}
          onClose={() => openDocument(undefined)}
        />
      )}
    </div>
  )
}
