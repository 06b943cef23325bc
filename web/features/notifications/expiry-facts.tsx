import { Info } from 'lucide-react'
import { notifications } from '../../texts/notifications-messages.ts'

export function ExpiryFacts() {
  return (
    <aside aria-labelledby="about-expiry" className="card self-start p-5 md:p-6">
      <h2 id="about-expiry" className="flex items-center gap-2.5 text-h3">
        <Info className="size-5 shrink-0 text-accent-text" aria-hidden />
        {notifications.about}
      </h2>
      <ul className="mt-3 grid list-disc gap-2 pl-5 text-dense text-text-2 marker:text-text-3">
        {notifications.facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </aside>
  )
}
