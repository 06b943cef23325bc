import { Info } from 'lucide-react'
import { uploadLimits } from '../model/site.ts'
import { ExpiringList } from '../features/notifications/expiring-list.tsx'
import { gallery } from '../texts/gallery-messages.ts'
import { titles } from '../texts/messages.ts'
import { notifications } from '../texts/notifications-messages.ts'
import { useExtendImages } from './use-extend-images.ts'
import { Section } from '../ui/section.tsx'
import { usePageTitle } from './use-page-title.ts'
import '../features/notifications/notifications.css'

const extendTexts = {
  extended: () => gallery.extended,
  failed: gallery.extendFailed,
  toastId: 'extend',
}

export function NotificationsPage() {
  const extend = useExtendImages(extendTexts)
  usePageTitle(titles.notifications)
  return (
    <div className="page page-text pt-8 md:pt-12">
      <h1 className="mb-6 text-title md:mb-8">{titles.notifications}</h1>
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_min(20rem,33%)]">
        <Section>
          <ExpiringList extend={extend} />
        </Section>
        <ExpiryFacts />
      </div>
    </div>
  )
}

function ExpiryFacts() {
  return (
    <aside aria-labelledby="about-expiry" className="card self-start p-5 md:p-6">
      <h2 id="about-expiry" className="flex items-center gap-2.5 text-h3">
        <Info className="size-5 shrink-0 text-accent-text" aria-hidden />
        {notifications.about}
      </h2>
      <ul className="mt-3 grid list-disc gap-2 pl-5 text-dense text-text-2 marker:text-text-3">
        {notifications.facts(uploadLimits.user).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </aside>
  )
}
