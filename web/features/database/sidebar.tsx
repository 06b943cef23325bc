import { useCollections } from '../../data/documents.ts'
import { database } from '../../notify/database-messages.ts'
import { useDatabaseAddress } from './use-database-address.ts'

export function Sidebar({ selected }: { selected: string | undefined }) {
  const { names } = useCollections()
  const { openCollection } = useDatabaseAddress()
  return (
    <nav className="db-sidebar" aria-label={database.collections}>
      {names.map((name) => (
        <button key={name} type="button" aria-current={name === selected} onClick={() => openCollection(name)}>
          {name}
        </button>
      ))}
    </nav>
  )
}
