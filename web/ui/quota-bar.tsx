import { clsx } from 'clsx'

interface Props {
  used: number
  /** 0: no limit, and no bar. */
  limit: number
  /** What is measured, for assistive technology. */
  label: string
  /** The usage in words, such as `1.2 GB of 10 GB`. */
  text: string
  className?: string
}

/** From this share on the bar has the colour of a warning. */
const nearlyFull = 0.9

/** How much of a limit is used. */
export function QuotaBar({ used, limit, label, text, className }: Props) {
  if (limit === 0) return null
  const share = Math.min(1, used / limit)
  return (
    <div
      className={clsx('quota', className)}
      data-tone={share >= 1 ? 'danger' : share >= nearlyFull ? 'warning' : undefined}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(100 * share)}
      aria-valuetext={text}
    >
      <div className="quota-fill" hidden={used === 0} style={{ width: `${100 * share}%` }} />
    </div>
  )
}
