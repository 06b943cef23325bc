import { useSite } from '../model/site.ts'

/** Marked for the server, which replaces it in the prerendered landing with the configured site name. */
export function SiteName({ className }: { className?: string }) {
  return (
    <span data-site-name="" className={className}>
      {useSite().siteName}
    </span>
  )
}
