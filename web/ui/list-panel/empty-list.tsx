import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import '../../styles/lists.css'

interface Props {
  icon: LucideIcon
  title: string | undefined
  text?: string | undefined
  /** It is all that the page has. */
  isPage?: boolean
  /** What leads on. */
  children?: ReactNode
}

/** In place of the rows of an empty list, or of a list that is not there. */
export function EmptyList({ icon: Icon, title, text, isPage = false, children }: Props) {
  const Title = isPage ? 'h1' : 'p'
  return (
    <div className="card list-empty">
      <span>
        <Icon aria-hidden />
      </span>
      <Title className="text-h3">{title}</Title>
      {text !== undefined && <p>{text}</p>}
      {children}
    </div>
  )
}
