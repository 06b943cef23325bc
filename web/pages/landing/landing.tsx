import { Clock, ImageUp, type LucideIcon, Share2, ShieldCheck } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Redirect } from 'wouter'
import { Link } from '../../ui/link.tsx'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import type { UploadedImage } from '../../../contract/endpoints/images.ts'
import { useHasGuestImages } from '../../model/images/guest-storage.ts'
import { useSession } from '../../model/session.ts'
import { uploadLimits, useSite } from '../../model/site.ts'
import { UploadZone } from '../../features/upload/guest/upload-zone.tsx'
import { common, landing } from '../../texts/messages.ts'
import { paths } from '../../paths.ts'
import { Loading } from '../../ui/loading.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Section } from '../../ui/section.tsx'
import { usePageTitle } from '../use-page-title.ts'

const LandingResult = onDemand(async () => (await import('./landing-result.tsx')).LandingResult)
const LandingRecent = onDemand(async () => (await import('./landing-recent.tsx')).LandingRecent)

const loadGuestImages = () => import('../../model/images/guest-images.ts')
const loadResult = () => Promise.all([LandingResult.load(), loadGuestImages()])
const remember = async (image: UploadedImage) => (await loadGuestImages()).addGuestImage(image)

const { guest, user } = uploadLimits

/**
 * The first page of a visitor; signed-in users are redirected to the dashboard. A login that comes back meanwhile
 * leaves an upload on screen until it has ended.
 */
export function LandingPage() {
  const { status } = useSession()
  const [isBusy, setBusy] = useState(false)
  usePageTitle()
  if (status === 'loading' && !isBusy) return <Loading text={common.loading} />
  if (status === 'in' && !isBusy) return <Redirect to={paths.dashboard} replace />
  return <Landing onBusy={setBusy} />
}

function Landing({ onBusy }: { onBusy: (isBusy: boolean) => void }) {
  const { guestUploads } = useSite()
  const hasGuestImages = useHasGuestImages()

  return (
    <div className="page page-wide flex flex-1 flex-col">
      <div className="landing-hero">
        <Headline />
        <div className="landing-zone">
          <UploadZone isDisabled={!guestUploads} onStart={loadResult} onUploaded={remember} onBusy={onBusy}>
            {(shown) => (
              <Suspense>
                <LandingResult {...shown} />
              </Suspense>
            )}
          </UploadZone>
        </div>
        <StartLinks isOpen={guestUploads} />
      </div>
      {hasGuestImages && (
        <Section>
          <Suspense>
            <LandingRecent />
          </Suspense>
        </Section>
      )}
      <Reasons />
    </div>
  )
}

function Headline() {
  return (
    <div className="landing-headline">
      <h1 className="text-display">
        {landing.headline.map((line) => (
          <span key={line} className="block">
            {line}
          </span>
        ))}
      </h1>
      <p className="mt-5 max-w-[34ch] text-lead text-text-2">{landing.lead}</p>
    </div>
  )
}

function StartLinks({ isOpen }: { isOpen: boolean }) {
  return (
    <div className="landing-start">
      <div className="flex gap-3">
        <Link className="btn btn-primary btn-lg max-md:flex-1" to={paths.register}>
          {landing.start}
        </Link>
        <Link className="btn btn-quiet btn-lg max-md:flex-1" to={paths.login}>
          {landing.login}
        </Link>
      </div>
      {isOpen && (
        <p className="mt-5 text-meta text-text-2">
          <span data-limit="guestMaxBytes">{landing.noAccount(formatBytes(guest.maxBytes))}</span>{' '}
          <span data-limit="guestRetentionDays">{landing.privacy(guest.retentionDays)}</span>
        </p>
      )}
      <Link className="link mt-2 inline-flex min-h-7 items-center text-meta coarse:min-h-11" to={paths.tools}>
        {landing.tools}
      </Link>
    </div>
  )
}

interface Reason {
  icon: LucideIcon
  title: string
  text: string
  /** The number in the text, which the server replaces in the prerendered page (server/http/pages/page-assets.ts). */
  limit?: 'userMaxBytes' | 'userRetentionDays'
}

const reasons: Reason[] = [
  {
    icon: ImageUp,
    title: landing.reasons.upload.title,
    text: landing.reasons.upload.text(formatBytes(user.maxBytes)),
    limit: 'userMaxBytes',
  },
  { icon: Share2, ...landing.reasons.sharing },
  {
    icon: Clock,
    title: landing.reasons.storage.title,
    text: landing.reasons.storage.text(user),
    limit: 'userRetentionDays',
  },
  { icon: ShieldCheck, ...landing.reasons.secure },
]

function Reasons() {
  return (
    <section className="mt-20" aria-labelledby="why">
      <h2 id="why" className="mb-5 text-h2">
        {landing.why}
      </h2>
      <ul className="grid gap-x-8 gap-y-7 xs:grid-cols-2 lg:grid-cols-4">
        {reasons.map(({ icon: Icon, title, text, limit }) => (
          <li key={title}>
            <Icon className="size-5.5 text-accent-text" aria-hidden />
            <h3 className="mt-4 mb-1 font-semibold">{title}</h3>
            <p className="max-w-[34ch] text-dense text-text-2" data-limit={limit}>
              {text}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
