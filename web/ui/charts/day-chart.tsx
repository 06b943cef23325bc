import { useState, type PointerEvent } from 'react'
import { dayOfYear } from '../../format/dates.ts'
import { chart } from '../../texts/chart-messages.ts'
import { barAt, chartOf } from './chart-geometry.ts'
import '../../styles/chart.css'

interface Day {
  date: string
  value: number
}

interface Props {
  days: readonly Day[]
  /** Of the values, as the head of their column: `Uploads`. */
  column: string
  /** `3 uploads` */
  textOf: (value: number) => string
  /** Instead of the chart while all days are empty: `No uploads yet`. */
  none: string
  /** The id of its heading. */
  labelledBy: string
}

/** One bar for each day, or a sentence where there is nothing to compare. */
export function DayChart({ none, ...chart }: Props) {
  if (chart.days.some(({ value }) => value > 0)) return <Bars {...chart} />
  return <p className="chart-none">{none}</p>
}

/** One bar for each day. Pointing at a bar, or moving to it with the arrow keys, shows its value. */
function Bars({ days, column, textOf, labelledBy }: Omit<Props, 'none'>) {
  const [pointed, setPointed] = useState<number>()
  const [chosen, setChosen] = useState(days.length - 1)
  const [hasFocus, setFocus] = useState(false)
  const active = pointed ?? (hasFocus ? chosen : undefined)
  const shown = active === undefined ? undefined : days[active]
  const { bars, lines } = chartOf(days.map(({ value }) => value))
  const total = days.reduce((sum, { value }) => sum + value, 0)
  const dayText = ({ date, value }: Day) => chart.on(dayOfYear(date), textOf(value))

  function point({ currentTarget, clientX }: PointerEvent): void {
    const { left, width } = currentTarget.getBoundingClientRect()
    setPointed(barAt((clientX - left) / width, days.length))
  }

  return (
    <>
      <p className="text-dense text-text-2 tabular-nums">
        {shown === undefined ? chart.total(textOf(total), days.length) : <b>{dayText(shown)}</b>}
      </p>
      <div className="chart">
        <div className="chart-lines" aria-hidden>
          {lines.toReversed().map((line) => (
            <span key={line}>{chart.number(line)}</span>
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
            aria-labelledby={labelledBy}
            min={0}
            max={days.length - 1}
            value={chosen}
            aria-valuetext={days[chosen] && dayText(days[chosen])}
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
      <DaysTable days={days} column={column} labelledBy={labelledBy} />
    </>
  )
}

const percent = (part: number) => `${part * 100}%`

/** The chart as numbers. */
function DaysTable({ days, column, labelledBy }: Pick<Props, 'days' | 'column' | 'labelledBy'>) {
  return (
    <details className="chart-table">
      <summary className="link">{chart.asTable}</summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by the keyboard too */}
      <div role="region" aria-labelledby={labelledBy} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{chart.dayColumn}</th>
              <th scope="col">{column}</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ date, value }) => (
              <tr key={date}>
                <th scope="row">{dayOfYear(date)}</th>
                <td>{chart.number(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
