import { Database } from 'lucide-react'
import { database } from '../../texts/database-messages.ts'

export function NoSelection() {
  return (
    <div className="db-empty">
      <Database className="size-10 text-text-3" aria-hidden />
      <h2 className="text-h2">{database.noSelectionTitle}</h2>
      <p className="text-text-2">{database.noSelectionText}</p>
    </div>
  )
}
