// Texts of the charts of days.
const number = (n: number) => n.toLocaleString('en')

export const chart = {
  number,
  /** `120 uploads in 30 days` */
  total: (total: string, days: number) => `${total} in ${days} days`,
  on: (day: string, value: string) => `${day}: ${value}`,
  dayColumn: 'Day',
  asTable: 'Show as a table',
}
