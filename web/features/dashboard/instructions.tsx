import { ChevronDown, CircleHelp } from 'lucide-react'
import { clsx } from 'clsx'
import { formatBytes } from '../../../contract/plain/format-bytes.ts'
import { uploadLimits } from '../../model/site.ts'
import { instructions } from '../../texts/dashboard-messages.ts'

const guideId = 'instructions'
const { user } = uploadLimits

export function InstructionsButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  return (
    <button
      type="button"
      className="btn btn-ghost instructions-button"
      aria-expanded={isOpen}
      aria-controls={guideId}
      onClick={onToggle}
    >
      <CircleHelp className="size-[1.125rem] md:hidden" aria-hidden />
      <span className="max-md:sr-only">{instructions.title}</span>
      <ChevronDown className={clsx('size-4 transition-transform max-md:hidden', isOpen && 'rotate-180')} aria-hidden />
    </button>
  )
}

/** Stays in the DOM while hidden: the button's aria-controls refers to it. */
export function Instructions({ isOpen }: { isOpen: boolean }) {
  return (
    <section id={guideId} hidden={!isOpen} aria-label={instructions.title} className="card mt-2 p-5 md:p-6">
      <ol className="grid gap-x-10 gap-y-5 md:grid-cols-2 xl:grid-cols-3">
        {instructions.items(formatBytes(user.maxBytes), user).map(({ title, text }) => (
          <li key={title}>
            <h2 className="font-semibold">{title}</h2>
            <p className="mt-1 max-w-[62ch] text-dense text-text-2">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
