import type { ReactNode } from 'react'
import { Link } from '../../ui/link.tsx'

interface Props {
  title: string
  lead: string
  /** The link to the other page, with the text before it. */
  other: { text: string; link: string; to: string }
  children: ReactNode
}

/** The card that login and registration share. */
export function AuthCard({ title, lead, other, children }: Props) {
  return (
    <div className="page grid flex-1 grid-cols-[minmax(0,25rem)] place-content-center py-12 md:py-20">
      <div className="card shadow-card max-md:border-0 max-md:bg-transparent max-md:shadow-none md:p-8">
        <h1 className="text-title">{title}</h1>
        <p className="mt-1 mb-7 text-text-2">{lead}</p>
        {children}
        <p className="mt-6 text-text-2">
          {other.text}{' '}
          <Link className="link inline-block py-1" to={other.to}>
            {other.link}
          </Link>
        </p>
      </div>
    </div>
  )
}
