import type { DatabaseStats } from '../../../contract/database.ts'
import { dayOfYear } from '../../format/dates.ts'
import { admin, overview } from '../../texts/admin-messages.ts'

/** The chart of uploads as numbers. */
export function DaysTable({ days }: { days: DatabaseStats['uploadsPerDay'] }) {
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
