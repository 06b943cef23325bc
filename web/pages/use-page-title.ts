import { useEffect } from 'react'
import { useSite } from '../model/site.ts'
import { pageTitle } from '../texts/messages.ts'

/** Sets the document's title while the page is mounted. @param title without one: the site's name */
export function usePageTitle(title?: string): void {
  const { siteName } = useSite()
  const text = title === undefined ? siteName : pageTitle(title, siteName)
  useEffect(() => {
    document.title = text
  }, [text])
}
