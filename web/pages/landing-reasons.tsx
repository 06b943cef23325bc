import { Clock, ImageUp, Share2, ShieldCheck } from 'lucide-react'
import { landing } from '../texts/messages.ts'

const reasons = [
  { icon: ImageUp, words: landing.reasons.upload },
  { icon: Share2, words: landing.reasons.sharing },
  { icon: Clock, words: landing.reasons.storage },
  { icon: ShieldCheck, words: landing.reasons.secure },
]

export function Reasons() {
  return (
    <section className="mt-20" aria-labelledby="why">
      <h2 id="why" className="mb-5 text-h2">
        {landing.why}
      </h2>
      <ul className="grid gap-x-8 gap-y-7 xs:grid-cols-2 lg:grid-cols-4">
        {reasons.map(({ icon: Icon, words: [title, text] }) => (
          <li key={title}>
            <Icon className="size-5.5 text-accent-text" aria-hidden />
            <h3 className="mt-4 mb-1 font-semibold">{title}</h3>
            <p className="max-w-[34ch] text-dense text-text-2">{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
