// The invitation to an album. Opening it accepts nothing: programs that check links in messages open them too.
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { AuthCard } from '../../features/account/login/auth-card.tsx'
import { useLinkToken } from '../../features/account/email-links.ts'
import { forgetInvite, keepInvite, pendingInvite } from '../../model/albums/pending-invite.ts'
import { errorText } from '../../format/error-text.ts'
import { ApiError } from '../../model/api-error.ts'
import { useSession } from '../../model/session.ts'
import { useSite } from '../../model/site.ts'
import { albumPath, loginFor, paths } from '../../paths.ts'
import { albumInvite as texts } from '../../texts/albums/member-messages.ts'
import { common, titles } from '../../texts/messages.ts'
import { OutcomeText } from '../../ui/forms/form-outcome.tsx'
import { Link } from '../../ui/link.tsx'
import { Loading } from '../../ui/loading.tsx'
import { notify } from '../../ui/toast/toast.ts'
import { useAction } from '../../ui/use-action.ts'
import { usePageTitle } from '../use-page-title.ts'

export function AlbumInvitePage() {
  const session = useSession()
  const linked = useLinkToken()
  const [kept] = useState(pendingInvite)
  const [ended, setEnded] = useState<string>()
  const token = linked || kept
  usePageTitle(titles.albumInvite)
  useEffect(() => {
    if (token !== '') keepInvite(token)
  }, [token])

  if (session.status === 'loading') return <Loading text={common.loading} />
  const isIn = session.status === 'in'
  if (token === '') return <EndedInvite isIn={isIn} title={texts.title} lead={texts.incomplete} />
  if (ended === token) return <EndedInvite isIn={isIn} isResult title={texts.ended} lead={texts.endedText} />
  if (!isIn) return <GuestInvite />
  return <Invite token={token} name={session.user.name} onEnded={() => setEnded(token)} />
}

function Invite({ token, name, onEnded }: { token: string; name: string; onEnded: () => void }) {
  const [, navigate] = useLocation()
  const { isBusy, outcome, run } = useAction()

  async function accept(): Promise<void> {
    try {
      const { acceptInvite } = await import('../../model/albums/members.ts')
      const { id, title, role } = await acceptInvite(token)
      forgetInvite()
      notify.success(role === 'owner' ? texts.own : texts.accepted(title))
      navigate(albumPath(id), { replace: true })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'album_invite_ended') throw error
      console.info(texts.ended, error)
      forgetInvite()
      onEnded()
    }
  }

  return (
    <AuthCard title={texts.title} lead={texts.lead}>
      <div className="grid gap-4">
        <button
          type="button"
          className="btn btn-primary btn-lg w-full"
          disabled={isBusy}
          onClick={() => void run(accept, (error) => errorText(error, texts.failed))}
        >
          {isBusy ? texts.accepting : texts.accept}
        </button>
        <OutcomeText outcome={outcome} />
        <p className="text-meta text-text-2 wrap-anywhere">{texts.loggedInAs(name)}</p>
      </div>
    </AuthCard>
  )
}

/** The login leads back here: the token waits in this tab. */
function GuestInvite() {
  const { passwordLogin, registration, mail } = useSite()
  const canRegister = passwordLogin && registration === 'open'
  return (
    <AuthCard title={texts.title} lead={canRegister ? texts.guestLead : texts.guestLeadClosed}>
      <div className="grid gap-3">
        <Link className="btn btn-primary btn-lg w-full" to={loginFor(paths.albumInvite)}>
          {texts.login}
        </Link>
        {canRegister && (
          <Link className="btn btn-quiet btn-lg w-full" to={paths.register}>
            {texts.register}
          </Link>
        )}
        {canRegister && mail && <p className="text-meta text-text-2">{texts.confirmFirst}</p>}
      </div>
    </AuthCard>
  )
}

interface EndedProps {
  isIn: boolean
  isResult?: boolean
  title: string
  lead: string
}

const EndedInvite = ({ isIn, ...card }: EndedProps) => (
  <AuthCard {...card}>
    <Link className="btn btn-quiet w-full" to={isIn ? paths.albums : paths.home}>
      {isIn ? texts.toAlbums : texts.toHome}
    </Link>
  </AuthCard>
)
