import { useId, useState, type PointerEvent } from 'react'
import type { DatabaseStats } from '../../../contract/database.ts'
import { dayOfYear } from '../../format/dates.ts'
import { admin, overview } from '../../texts/admin-messages.ts'
import { barAt, chartOf } from './chart-geometry.ts'

type Days = DatabaseStats['uploadsPerDay']
const percent = (part: number) => `${part * 100}%`

/** One bar for each day. Pointing at a bar, or moving to it with the arrow keys, shows its value. */
export function UploadsChart({ days }: { days: Days }) {
  const titleId = useId()
  const [pointed, setPointed] = useState<number>()
  const [chosen, setChosen] = useState(days.length - 1)
  const [hasFocus, setFocus] = useState(false)
  const active = pointed ?? (hasFocus ? chosen : undefined)
  const shown = active === undefined ? undefined : days[active]
  const { bars, lines } = chartOf(days.map(({ uploads }) => uploads))
  const total = days.reduce((sum, { uploads }) => sum + uploads, 0)
  const textOf = ({ date, uploads }: Days[number]) => overview.uploadsOn(dayOfYear(date), uploads)

  function point({ currentTarget, clientX }: PointerEvent): void {
    const { left, width } = currentTarget.getBoundingClientRect()
    setPointed(barAt((clientX - left) / width, days.length))
  }

  return (
    <section className="card admin-card" aria-labelledby={titleId}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={titleId} className="text-h3">
          {overview.uploads}
        </h2>
        <p className="text-dense text-text-2 tabular-nums">
          {shown === undefined ? overview.uploadsIn(total, days.length) : <b>{textOf(shown)}</b>}
        </p>
      </div>
      <div className="chart">
        <div className="chart-lines" aria-hidden>
          {lines.toReversed().map((line) => (
            <span key={line}>{admin.number(line)}</span>
          ))}
        </div>
        <div
          className="chart-plot"
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setPointed(undefined)}
        >
          <svg width="100%" height="100%" aria-hidden>
            {[0, 0.5, 1].map((line) => (
              <line key={line} className="chart-line" x1="0" x2="100%" y1={percent(line)} y2={percent(line)} />
            ))}
            {bars.map(({ x, width, height }, at) => (
              <rect
                key={days[at]?.date}
                className="chart-bar"
                data-active={at === active}
                x={percent(x)}
                width={percent(width)}
                y={percent(1 - height)}
                height={percent(height)}
                rx="2"
              />
            ))}
          </svg>
          {/* For the keyboard and screen readers; a pointer is located by its position. */}
          <input
            type="range"
            className="chart-range"
            aria-label={overview.day}
            min={0}
            max={days.length - 1}
            value={chosen}
            aria-valuetext={days[chosen] && textOf(days[chosen])}
            onChange={(event) => setChosen(event.target.valueAsNumber)}
            onFocus={() => setFocus(true)}
            onBlur={() => setFocus(false)}
          />
        </div>
        <div className="chart-days" aria-hidden>
          {[days[0], days[Math.floor(days.length / 2)], days.at(-1)].map(
            (day) => day && <span key={day.date}>{dayOfYear(day.date)}</span>,
          )}
        </div>
      </div>
      <p className="mt-3 text-meta text-text-2">{overview.utc}</p>
      <DaysTable days={days} />
    </section>
  )
}

/** The chart of uploads as numbers. */
function DaysTable({ days }: { days: Days }) {
  return (
    <details className="chart-table">
      <summary className="link">{overview.asTable}</summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by the keyboard too */}
      <div role="region" aria-label={overview.uploads} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{overview.columns.day}</th>
              <th scope="col">{overview.columns.uploads}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ date, uploads }) => (
              <tr key={date}>
                <th scope="row">{dayOfYear(date)}</th>
                <td>{admin.number(uploads)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
