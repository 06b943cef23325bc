import { ArrowLeft } from 'lucide-react'
import { useEffect } from 'react'
import { TrashList } from '../features/trash/trash-list.tsx'
import { paths } from '../paths.ts'
import { trash } from '../texts/trash-messages.ts'
import { focusMain } from '../ui/focus-main.ts'
import { Link } from '../ui/link.tsx'
import { usePageTitle } from './use-page-title.ts'

/** "Recently deleted". The path is that of the dashboard, so that the router does not move focus and scroll position. */
export function TrashPage() {
  usePageTitle(trash.title)
  useEffect(() => {
    scrollTo(0, 0)
    focusMain()
    // The link back is gone.
    return () => {
      if (document.activeElement === document.body) focusMain()
    }
  }, [])
  return (
    <div className="page page-fluid trash-page">
      <Link to={paths.dashboard} className="link text-dense trash-back">
        <ArrowLeft className="size-4" aria-hidden />
        {trash.back}
      </Link>
      <TrashList />
    </div>
  )
}
