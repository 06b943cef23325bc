import { useSite } from '../data/site.ts'
import { pageTitle, titles } from '../notify/messages.ts'
import { useTitle } from '../ui/title.ts'

export function ApiKeysPage() {
  const { siteName } = useSite()
  useTitle(pageTitle(titles.apiKeys, siteName))
  return (
    <div className="page page-wide pt-8">
      <h1 className="text-title">{titles.apiKeys}</h1>
    </div>
  )
}
