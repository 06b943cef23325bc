// One document, read or edited.

interface Props {
  collection: string
  id: string
  /** After a save: the table is to show it. */
  onSaved: () => void
  onClose: () => void
}

export function DocumentPanel({ collection, id }: Props) {
  return (
    <aside>
      {collection} {id}
    </aside>
  )
}
