import { useState } from 'react'
import { type ClientId, clientIds, clients } from '../../../contract/client-setups/clients.ts'
import { tools } from '../../texts/tools-messages.ts'
import { Link } from '../../ui/link.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { clientAddress, groups, matchingClients } from './find-clients.ts'

const maxSearchLength = 50

/** The clients by group, with a search field above them. */
export function ClientList({ chosen }: { chosen: ClientId | undefined }) {
  const [search, setSearch] = useState('')
  const found = matchingClients(search)
  return (
    <nav className="tools-list" aria-label={tools.list}>
      <SearchField
        className="relative block"
        label={tools.search}
        maxLength={maxSearchLength}
        text={search}
        onSearch={setSearch}
      />
      {groups.map((group) => {
        const ids = found.filter((id) => clients[id].group === group)
        if (ids.length === 0) return null
        return (
          <section key={group} aria-labelledby={`tools-${group}`}>
            <h2 id={`tools-${group}`} className="mt-5 mb-1.5 px-3 text-meta font-medium text-text-2">
              {tools.groups[group]}
            </h2>
            <ul className="tools-group">
              {ids.map((id) => (
                <li key={id}>
                  <Link
                    to={clientAddress(id)}
                    className="tools-link"
                    aria-current={id === chosen ? 'true' : undefined}
                    data-client={id}
                  >
                    <span className="font-medium">{clients[id].name}</span>
                    <span className="tools-platforms">{platformsOf(id)}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
      <p className="sr-only" aria-live="polite">
        {search !== '' && tools.found(found.length, clientIds.length)}
      </p>
    </nav>
  )
}

const platformsOf = (id: ClientId) => {
  const { platforms } = clients[id]
  return platforms.length > 3 ? tools.anyPlatform : platforms.join(', ')
}
