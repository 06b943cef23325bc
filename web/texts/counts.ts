/** `1 day`, `60 days` */
export const days = (n: number) => `${n} ${n === 1 ? 'day' : 'days'}`
/** How long images are kept; 0 days: they do not expire. */
export interface Retention {
  retentionDays: number
  isAfterView: boolean
}
/** `365 days`, `365 days after the last view`, `for good`. As server/http/pages/page-assets.ts writes it. */
export const keptFor = ({ retentionDays: n, isAfterView }: Retention) =>
  n === 0 ? 'for good' : days(n) + (isAfterView ? ' after the last view' : '')
/** `1 image`, `2,000 images` */
export const countedImages = (n: number) => (n === 1 ? '1 image' : `${n.toLocaleString('en-US')} images`)
