import { useSite } from '../data/site.ts'

/** Marked for the server: in the prerendered landing it puts the name of its site in place of the one that the build knows. */
export function SiteName({ className }: { className?: string }) {
  return (
    <span data-site-name="" className={className}>
      {useSite().siteName}
    </span>
  )
}
