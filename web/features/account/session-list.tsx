import { queryOptions, useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone, SquareTerminal, type LucideIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import type { OwnSession } from '../../../contract/endpoints/sessions.ts'
import { errorText } from '../../format/error-text.ts'
import { ApiError, troubleOf } from '../../model/api-error.ts'
import { client } from '../../model/http.ts'
import { queryClient, updateCached } from '../../model/query-client.ts'
import { ago } from '../../format/ago.ts'
import { ownAccount } from '../../texts/account-messages.ts'
import { Skeletons } from '../../ui/list-panel/skeletons.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { notify } from '../../ui/toast/toast.ts'
import { SmallButton } from '../../ui/small-button.tsx'

const texts = ownAccount.sessions
/** Sessions that are shown before 'Show all'. */
const shownFirst = 5

/** The user's sessions; each but this one has a button that ends it. @param onNoneLeft called when the last button is removed */
export function SessionList({ onNoneLeft }: { onNoneLeft: () => void }) {
  const { data = [], status, error, refetch } = useQuery({ ...sessionList, staleTime: 0 }, queryClient)
  const isBusy = useRef(false)
  const [showsAll, setShowsAll] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  // This one first: it is the last used, unless a program uses another at the moment.
  const sessions = data.toSorted((a, b) => Number(b.current) - Number(a.current))
  const shown = showsAll ? sessions : sessions.slice(0, shownFirst)
  const others = sessions.filter(({ current }) => !current)

  /** @param at index of the button that is removed; the focus moves to the next one */
  async function end(run: () => Promise<void>, done: string, at: number): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    try {
      await run()
      notify.success(done, 'account')
      requestAnimationFrame(() => {
        const buttons = [...(box.current?.querySelectorAll<HTMLElement>('li button') ?? [])]
        const next = buttons[at] ?? buttons.at(-1)
        if (next === undefined) onNoneLeft()
        else next.focus()
      })
    } catch (failure) {
      notify.failure(errorText(failure, texts.failed), failure, 'account')
    }
    isBusy.current = false
  }

  if (status === 'error') return <LoadFailure title={texts.loadFailed} {...troubleOf(error)} onRetry={refetch} isBar />
  return (
    <div ref={box} className="grid gap-4" aria-busy={status === 'pending'}>
      {status === 'pending' && <Skeletons count={1} className="h-14" />}
      <ul className="-my-3 divided">
        {shown.map((session) => (
          <Session
            key={session.id}
            session={session}
            onEnd={() =>
              void end(
                () => endSession(session.id),
                texts.ended,
                others.findIndex(({ id }) => id === session.id),
              )
            }
          />
        ))}
      </ul>
      {(shown.length < sessions.length || others.length > 1) && (
        <div className="flex flex-wrap gap-3">
          {shown.length < sessions.length && (
            <SmallButton text={texts.showAll(sessions.length)} isGhost onPress={() => setShowsAll(true)} />
          )}
          {others.length > 1 && (
            <SmallButton text={texts.endOthers} onPress={() => void end(endOtherSessions, texts.othersEnded, 0)} />
          )}
        </div>
      )}
    </div>
  )
}

interface SessionProps {
  session: OwnSession
  onEnd: () => void
}

function Session({ session: { device, network, last_used_at: lastUsed, current }, onEnd }: SessionProps) {
  const Icon = icons[kindOf(device)]
  const name = device ?? texts.unknown
  return (
    <li className="flex items-center gap-x-3.5 py-3">
      <Icon className="size-5 shrink-0 text-text-2" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-meta text-text-2 tabular-nums wrap-anywhere">
          {network !== null && `${network} · `}
          {current ? (
            <span className="font-medium text-success-text">{texts.current}</span>
          ) : (
            <time dateTime={lastUsed}>{texts.lastUsed(ago(lastUsed, Date.now()))}</time>
          )}
        </p>
      </div>
      {!current && <SmallButton text={texts.endOne} name={texts.endNamed(name, network)} onPress={onEnd} />}
    </li>
  )
}

const icons: Record<'computer' | 'phone' | 'program', LucideIcon> = {
  computer: Monitor,
  phone: Smartphone,
  program: SquareTerminal,
}

/** By the names of server/domain/accounts/device-name.ts. */
function kindOf(device: string | null): keyof typeof icons {
  if (device === null || /(Windows|macOS|Linux|ChromeOS)$/.test(device)) return 'computer'
  return /(Android|iOS)$/.test(device) ? 'phone' : 'program'
}

const sessionList = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await client.listSessions()).sessions,
})

async function endSession(id: string): Promise<void> {
  try {
    await client.deleteSession({ params: { id } })
  } catch (error) {
    // Already ended: by itself, elsewhere, or by a first try whose response was lost.
    if (!(error instanceof ApiError) || error.code !== 'session_not_found') throw error
  }
  updateCached(sessionList, (sessions) => sessions.filter((session) => session.id !== id))
}

async function endOtherSessions(): Promise<void> {
  await client.deleteOtherSessions()
  updateCached(sessionList, (sessions) => sessions.filter(({ current }) => current))
}
