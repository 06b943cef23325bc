import { useSite } from '../data/site.ts'
import { pageTitle, titles } from '../notify/messages.ts'
import { useTitle } from '../ui/title.ts'

export function NotificationsPage() {
  const { siteName } = useSite()
  useTitle(pageTitle(titles.notifications, siteName))
  return (
    <div className="page page-wide pt-8">
      <h1 className="text-title">{titles.notifications}</h1>
    </div>
  )
}
