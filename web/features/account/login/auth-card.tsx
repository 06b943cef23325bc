import type { ReactNode } from 'react'
import { Link } from '../../../ui/link.tsx'

interface Props {
  title: string
  lead: string
  /** Replaces a form that was sent: takes the focus, so that it is read. */
  isResult?: boolean
  /** The link to the other page, with the text before it. */
  other?: { text: string; link: string; to: string } | undefined
  children?: ReactNode
}

const focus = (heading: HTMLElement | null) => heading?.focus()

/** The card that login, registration and the pages of links in mails share. */
export function AuthCard({ title, lead, isResult = false, other, children }: Props) {
  return (
    <div className="page grid flex-1 grid-cols-[minmax(0,25rem)] place-content-center py-12 md:py-20">
      <div className="card shadow-card max-md:border-0 max-md:bg-transparent max-md:shadow-none md:p-8">
        <h1 className="text-title" {...(isResult ? { tabIndex: -1, ref: focus } : {})}>
          {title}
        </h1>
        <p className="mt-1 text-text-2 wrap-anywhere">{lead}</p>
        {children !== undefined && <div className="mt-7">{children}</div>}
        {other && (
          <p className="mt-6 text-text-2">
            {other.text}{' '}
            <Link className="link inline-block py-1" to={other.to}>
              {other.link}
            </Link>
          </p>
        )}
      </div>
    </div>
  )
}
