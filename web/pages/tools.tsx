import { clsx } from 'clsx'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
// The router's own hook decodes the search once: %2F within a name would be lost.
import { useSearch } from 'wouter/use-browser-location'
import type { NewApiKey } from '../../contract/endpoints/api-keys.ts'
import { type ClientId, clients, isClientId } from '../../contract/client-setups/clients.ts'
import { useSession } from '../model/session.ts'
import { useSite } from '../model/site.ts'
import { ClientList } from '../features/tools/client-list.tsx'
import { ClientSetup, SetupSection } from '../features/tools/client-setup.tsx'
import { canBeGuest, usesKey, usualClient } from '../features/tools/find-clients.ts'
import { SetupKey } from '../features/tools/setup-key.tsx'
import { UploadWatch } from '../features/tools/upload-watch.tsx'
import { paths } from '../paths.ts'
import { titles } from '../texts/messages.ts'
import { clientTexts, tools } from '../texts/tools-messages.ts'
import { Link } from '../ui/link.tsx'
import { useLeaveGuard } from '../ui/forms/use-leave-guard.ts'
import { DeveloperNav } from './developer-nav.tsx'
import { usePageTitle } from './use-page-title.ts'
import '../features/tools/tools.css'

/** `?client=` chooses a client. On a phone the list and the set-up are two screens, else they are side by side. */
export function ToolsPage() {
  usePageTitle(titles.tools)
  const session = useSession()
  const asked = new URLSearchParams(useSearch()).get('client')
  const chosen = isClientId(asked) ? asked : undefined
  const shown = chosen ?? usualClient(navigator.userAgent)
  const isUser = session.status === 'in'
  useFocusAfterChoice(chosen)
  return (
    <div
      className={clsx('page', isUser ? 'developer-page' : 'page-wide pt-8 md:pt-12')}
      data-chosen={chosen !== undefined}
    >
      {isUser && <DeveloperNav current="tools" />}
      <div className="tools-intro">
        <h1 className="text-title">{titles.tools}</h1>
        <p className="mt-3 max-w-[60ch] text-reading text-text-2">{tools.intro}</p>
      </div>
      {chosen !== undefined && (
        <Link className="tools-back link" to={paths.tools}>
          <ArrowLeft className="size-4" aria-hidden />
          {tools.all}
        </Link>
      )}
      <div className="tools">
        <ClientList chosen={shown} />
        {/* Another user must not see the keys of the previous one. */}
        <ChosenClient key={session.status === 'in' ? session.user.id : ''} client={shown} isUser={isUser} />
      </div>
    </div>
  )
}

interface CreatedKey {
  key: NewApiKey
  /** Copied or downloaded. */
  isTaken: boolean
}

function ChosenClient({ client, isUser }: { client: ClientId; isUser: boolean }) {
  const { siteName, guestUploads } = useSite()
  const [created, setCreated] = useState<Partial<Record<ClientId, CreatedKey>>>({})
  useLeaveGuard(Object.values(created).some(({ isTaken }) => !isTaken))

  const own = created[client]
  const key = own?.key.key ?? (!isUser && canBeGuest(client, guestUploads) ? undefined : tools.key.placeholder)
  const store = (next: CreatedKey) => setCreated((all) => ({ ...all, [client]: next }))
  const { name, platforms } = clients[client]

  return (
    <article className="tools-setup" aria-labelledby={headingId}>
      <header>
        <h2 id={headingId} tabIndex={-1} className="text-h2">
          {name}
        </h2>
        <p className="mt-1 text-meta text-text-3">{platforms.join(', ')}</p>
        <p className="mt-3 max-w-[68ch] text-text-2">{clientTexts[client].text}</p>
      </header>
      {usesKey(client) && (
        <SetupKey
          key={client}
          client={client}
          isUser={isUser}
          created={own?.key}
          onCreated={(apiKey) => store({ key: apiKey, isTaken: false })}
        />
      )}
      <ClientSetup
        client={client}
        site={{ origin: location.origin, siteName, key }}
        isReady={key !== tools.key.placeholder}
        onTaken={() => own && store({ ...own, isTaken: true })}
      />
      {own && (
        <SetupSection title={tools.test.title}>
          <UploadWatch key={own.key.id} name={name} keyId={own.key.id} />
        </SetupSection>
      )}
    </article>
  )
}

const headingId = 'tools-client'

/** On a phone a choice hides the link that was pressed, and the way back the heading: the other one gets the focus. */
function useFocusAfterChoice(chosen: ClientId | undefined): void {
  const known = useRef(chosen)
  useEffect(() => {
    const previous = known.current
    known.current = chosen
    if (previous === chosen || isVisible(document.activeElement)) return
    const next =
      chosen === undefined ? document.querySelector(`[data-client=${previous}]`) : document.getElementById(headingId)
    if (next instanceof HTMLElement && isVisible(next)) next.focus()
    if (chosen !== undefined) scrollTo(0, 0)
  }, [chosen])
}

const isVisible = (element: Element | null) =>
  element !== null && element !== document.body && element.checkVisibility()
