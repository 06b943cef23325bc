import { common } from '../../texts/messages.ts'

interface Props {
  count: number
  /** Gives them the height of what replaces them. */
  className: string
}

export const Skeletons = ({ count, className }: Props) => (
  <>
    <span role="status" className="sr-only">
      {common.loading}
    </span>
    {Array.from({ length: count }, (_, at) => (
      <div key={at} className={`skeleton ${className}`} aria-hidden />
    ))}
  </>
)
